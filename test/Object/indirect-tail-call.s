# Indirect jumps that are no jump tables: through a virtual table, a pointer,
# and a table of functions. They leave the function and are not taken for tables
# that were not understood.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s

	.text
	.globl	virtual
	.type	virtual,@function
# CHECK-LABEL: virtual at {{.*}}: address-taken{{$}}
# CHECK-NEXT:    b0 {{.*}} exit
# CHECK-NEXT:      tail-calls indirect
virtual:
	movq	(%rdi), %rax
	jmpq	*0x120(%rax)
	.size	virtual, .-virtual

	.local	pointer
	.type	pointer,@function
# CHECK-LABEL: pointer at {{.*}}: address-taken{{$}}
# CHECK-NEXT:    b0 {{.*}} exit
# CHECK-NEXT:      tail-calls indirect
pointer:
	movq	%rdi, %rax
	jmpq	*%rax
	.size	pointer, .-pointer

	.globl	from_table
	.type	from_table,@function
# CHECK-LABEL: from_table at {{.*}}: address-taken{{$}}
# CHECK-NEXT:    b0 {{.*}} exit
# CHECK-NEXT:      tail-calls indirect
from_table:
	andl	$1, %edi
	leaq	functions(%rip), %rax
	jmpq	*(%rax,%rdi,8)
	.size	from_table, .-from_table

	.globl	known
	.type	known,@function
# The address that it jumps to is plain to see.
# CHECK-LABEL: known at {{.*}}: address-taken{{$}}
# CHECK-NEXT:    b0 {{.*}} exit
# CHECK-NEXT:      tail-calls pointer
known:
	leaq	pointer(%rip), %rax
	jmpq	*%rax
	.size	known, .-known

	.section	.data.rel.ro,"aw",@progbits
	.p2align	3
functions:
	.quad	virtual
	.quad	pointer
