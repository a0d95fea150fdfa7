# Labels as values: a table of addresses that the dynamic linker relocates, one
# register with its address, and a jump at the end of each handler. Only the
# first jump is reached without the others.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s
# Packed relocations say the same.
# RUN: ld.lld -shared --pack-dyn-relocs=relr %t.o -o %t.relr
# RUN: machine-cfg %t.relr | FileCheck %s

	.text
	.globl	interpret
	.type	interpret,@function
# CHECK:       interpret at {{.*}}: address-taken{{$}}
# CHECK-NEXT:    b0
# CHECK-NEXT:      indirect -> b1
# CHECK-NEXT:      indirect -> b2
# CHECK-NEXT:      indirect -> b3
# CHECK-NEXT:    b1
# CHECK-NEXT:      indirect -> b1
# CHECK-NEXT:      indirect -> b2
# CHECK-NEXT:      indirect -> b3
# CHECK-NEXT:    b2
# CHECK-NEXT:      calls work
# CHECK-NEXT:      indirect -> b1
# CHECK-NEXT:      indirect -> b2
# CHECK-NEXT:      indirect -> b3
# CHECK-NEXT:    b3 {{.*}} exit
interpret:
	pushq	%r14
	leaq	labels(%rip), %r14
	movzbl	(%rdi), %eax
	jmpq	*(%r14,%rax,8)
.Ladd:
	incl	%esi
	movzbl	1(%rdi), %eax
	jmpq	*(%r14,%rax,8)
.Lcall:
	callq	work@PLT
	movzbl	2(%rdi), %eax
	movq	(%r14,%rax,8), %rax
	jmpq	*%rax
.Lstop:
	popq	%r14
	retq
	.size	interpret, .-interpret

	.section	.data.rel.ro,"aw",@progbits
	.p2align	3
	.type	labels,@object
labels:
	.quad	.Ladd
	.quad	.Lcall
	.quad	.Lstop
	.size	labels, .-labels
	.quad	.Lstop
