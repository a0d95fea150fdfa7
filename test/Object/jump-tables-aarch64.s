# AArch64's jump tables: compressed to offsets of 1 or 2 bytes from the first
# case, counted in instructions; offsets of 4 bytes from the table; addresses.

# RUN: llvm-mc -triple=aarch64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s
# RUN: ld.lld -no-pie -e bytes %t.o -o %t.fixed
# RUN: machine-cfg %t.fixed | FileCheck %s

	.text
	.type	work,@function
work:	ret
	.size	work, .-work

	.globl	bytes
	.type	bytes,@function
# CHECK-LABEL: bytes at
# CHECK:         indirect -> b2
# CHECK-NEXT:    indirect -> b4
# CHECK-NEXT:    indirect -> b3
# CHECK-NEXT:  b2
bytes:
	cmp	w0, #2
	b.hi	.Lb0
	mov	w8, w0
	adrp	x9, .Lbytes
	add	x9, x9, :lo12:.Lbytes
	adr	x10, .Lb0
	ldrb	w11, [x9, x8]
	add	x10, x10, x11, lsl #2
	br	x10
.Lb0:	ret
.Lb1:	ret
.Lb2:	ret
	.size	bytes, .-bytes

	.globl	halves
	.type	halves,@function
# The way of GCC: signed offsets, extended by the addition.
# CHECK-LABEL: halves at
# CHECK:         indirect -> b3
# CHECK-NEXT:    indirect -> b1
# CHECK-NEXT:  b3
halves:
	cmp	w0, #1
	b.ls	.Lswitch
.Lh0:	ret
.Lswitch:
	adrp	x1, .Lhalves
	add	x1, x1, :lo12:.Lhalves
	ldrh	w1, [x1, w0, uxtw #1]
	adr	x2, .Lh1
	add	x1, x2, w1, sxth #2
	br	x1
.Lh1:	ret
	.size	halves, .-halves

	.globl	words
	.type	words,@function
# The table's address stays in a register during a loop.
# CHECK-LABEL: words at
# CHECK:         indirect -> b3
# CHECK-NEXT:    indirect -> b4
# CHECK-NEXT:  b3
words:
	stp	x29, x30, [sp, #-32]!
	stp	x19, x20, [sp, #16]
	adrp	x19, .Lwords
	add	x19, x19, :lo12:.Lwords
.Lloop:
	bl	work
	cmp	x0, #1
	b.hi	.Lw1
	ldrsw	x8, [x19, x0, lsl #2]
	add	x8, x19, x8
	br	x8
.Lw0:
	b	.Lloop
.Lw1:
	ldp	x19, x20, [sp, #16]
	ldp	x29, x30, [sp], #32
	ret
	.size	words, .-words

	.globl	addresses
	.type	addresses,@function
# CHECK-LABEL: addresses at
# CHECK:         indirect -> b1
# CHECK-NEXT:    indirect -> b2
# CHECK-NEXT:  b1
addresses:
	and	w0, w0, #0x1
	adrp	x8, .Laddresses
	add	x8, x8, :lo12:.Laddresses
	ldr	x8, [x8, w0, uxtw #3]
	br	x8
.La0:	ret
.La1:	ret
	.size	addresses, .-addresses

	.section	.rodata,"a",@progbits
.Lbytes:
	.byte	(.Lb0-.Lb0)>>2
	.byte	(.Lb2-.Lb0)>>2
	.byte	(.Lb1-.Lb0)>>2
	.byte	0
	.p2align	1
.Lhalves:
	.hword	(.Lh1-.Lh1)>>2
	.hword	-((.Lh1-.Lh0)>>2)
	.p2align	2
.Lwords:
	.word	.Lw0-.Lwords
	.word	.Lw1-.Lwords
	.section	.data.rel.ro,"aw",@progbits
	.p2align	3
.Laddresses:
	.xword	.La0
	.xword	.La1
