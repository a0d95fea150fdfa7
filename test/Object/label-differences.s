# Offsets from a label instead of the table, and scaled: &&base + 2 * table[i].

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s

	.text
	.globl	choose
	.type	choose,@function
# CHECK:       choose at
# CHECK:         b1 0x
# CHECK-NEXT:      indirect -> b2
# CHECK-NEXT:      indirect -> b4
# CHECK-NEXT:      indirect -> b3
# CHECK-NEXT:    b2
choose:
	cmpl	$2, %edi
	ja	.Lbase
	movl	%edi, %edi
	leaq	.Ltable(%rip), %rax
	movzbl	(%rax,%rdi), %eax
	leaq	.Lbase(%rip), %rcx
	leaq	(%rcx,%rax,2), %rax
	jmpq	*%rax
.Lbase:
	nop
	retq
.La:
	nop
	retq
.Lb:
	retq
	.size	choose, .-choose

	.section	.rodata,"a",@progbits
.Ltable:
	.byte	(.Lbase-.Lbase)/2
	.byte	(.Lb-.Lbase)/2
	.byte	(.La-.Lbase)/2
	.byte	0
