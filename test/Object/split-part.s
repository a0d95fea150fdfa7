# Cold code that was split off is a part of the function that leads to it, be it
# by a jump, a jump table or a landing pad; asking for an address in it gives
# that function. Of several functions with one name the right one.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj --defsym TWIN=1 %s -o %t2.o
# RUN: ld.lld -shared %t.o %t2.o -o %t
# RUN: machine-cfg %t | FileCheck %s
# RUN: llvm-nm %t | sed -n 's/^0*\([0-9a-f]*\) t hot.cold/0x\1/p' > %t.address
# RUN: cat %t.address | xargs machine-cfg %t | FileCheck %s --check-prefix=HOT

# CHECK-NOT:   cold
# CHECK:       hot at
# CHECK-NEXT:    part 0x
# CHECK:         b0
# CHECK-NEXT:      taken -> b2
# CHECK-NEXT:      falls -> b1
# CHECK-NEXT:    b1 {{.*}} exit
# CHECK-NEXT:    b2
# CHECK-NEXT:      calls work at
# CHECK-NEXT:      taken -> b1
# HOT:         hot at
# HOT-NEXT:      part 0x

# CHECK:       by_table at
# CHECK-NEXT:    part 0x
# CHECK:           indirect -> b2
# CHECK-NEXT:      indirect -> b3
# CHECK-NEXT:    b2
# CHECK-NEXT:    b3 {{.*}} exit

# The outlined function is one: it is called.
# CHECK:       outlines at
# CHECK-NOT:     part
# CHECK:           calls outlines at
# CHECK:       outlines at

# CHECK:       twin at
# CHECK-NOT:     part
# CHECK:       twin at
# CHECK-NEXT:    part 0x

.ifdef TWIN
	.text
	.type	twin,@function
twin:
	testl	%edi, %edi
	jne	twin.cold
	retq
	.size	twin, .-twin
	.section	.text.unlikely,"ax",@progbits
	.type	twin.cold,@function
twin.cold:
	ud2
	.size	twin.cold, .-twin.cold

.else
	.section	.text.unlikely,"ax",@progbits
	.type	hot.cold,@function
hot.cold:
	callq	work@PLT
	jmp	.Lback
	.size	hot.cold, .-hot.cold
	.type	by_table.cold,@function
by_table.cold:
.Lcold_case:
	retq
	.size	by_table.cold, .-by_table.cold

	.text
	.globl	hot
	.type	hot,@function
hot:
	testl	%edi, %edi
	jne	hot.cold
.Lback:
	retq
	.size	hot, .-hot

	.globl	by_table
	.type	by_table,@function
by_table:
	cmpl	$1, %edi
	ja	.Lhot_case
	movl	%edi, %edi
	leaq	.Ltable(%rip), %rcx
	movslq	(%rcx,%rdi,4), %rax
	addq	%rcx, %rax
	jmpq	*%rax
.Lhot_case:
	retq
	.size	by_table, .-by_table

	.globl	outlines
	.type	outlines,@function
outlines:
	testl	%edi, %edi
	jne	.Lslow
	retq
.Lslow:
	callq	outlines.cold.1
	retq
	.size	outlines, .-outlines
	.type	outlines.cold.1,@function
outlines.cold.1:
	retq
	.size	outlines.cold.1, .-outlines.cold.1

	.type	twin,@function
twin:
	retq
	.size	twin, .-twin

	.section	.rodata,"a",@progbits
	.p2align	2
.Ltable:
	.long	.Lhot_case-.Ltable
	.long	.Lcold_case-.Ltable
.endif
