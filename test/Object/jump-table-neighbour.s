# Behind a table of unknown length, without a symbol, comes what another function
# uses. It would pass for more of the table; that function's code says where it
# begins.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg %t choose | FileCheck %s
# RUN: llvm-mc -triple=aarch64-linux-gnu -filetype=obj --defsym ARM=1 %s -o %t.a.o
# RUN: ld.lld -shared %t.a.o -o %t.a
# RUN: machine-cfg %t.a choose | FileCheck %s

# CHECK:       choose at
# CHECK-NEXT:    b0
# CHECK-NEXT:      indirect -> b1
# CHECK-NEXT:    b1 {{.*}} exit
# CHECK-NEXT:    b2 {{.*}} unreachable exit

	.text
	.globl	choose, other
	.type	choose,@function
	.type	other,@function
.ifdef ARM
choose:
	adrp	x8, .Ltable
	add	x8, x8, :lo12:.Ltable
	ldrsw	x9, [x8, x0, lsl #2]
	add	x8, x8, x9
	br	x8
.La:	ret
.Ldead:	ret
	.size	choose, .-choose
other:
	adrp	x8, .Lnumbers
	add	x8, x8, :lo12:.Lnumbers
	ldr	w0, [x8, x0, lsl #2]
	ret
.else
choose:
	leaq	.Ltable(%rip), %rcx
	movslq	(%rcx,%rdi,4), %rax
	addq	%rcx, %rax
	jmpq	*%rax
.La:	retq
.Ldead:	retq
	.size	choose, .-choose
other:
	leaq	.Lnumbers(%rip), %rcx
	movl	(%rcx,%rdi,4), %eax
	retq
.endif
	.size	other, .-other

	.section	.rodata,"a",@progbits
	.p2align	2
.Ltable:
	.long	.La-.Ltable
.Lnumbers:
	.long	.Ldead-.Ltable
