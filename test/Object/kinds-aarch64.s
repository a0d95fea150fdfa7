# What AArch64's instructions do, by LLVM's descriptors and names.

# RUN: llvm-mc -triple=aarch64-linux-gnu -mattr=+all -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg --kinds %t | FileCheck %s

	.text
	.local	kinds
	.type	kinds,@function
# CHECK: kinds at
kinds:
# CHECK:      nop{{$}}
	bti	c
# CHECK-NEXT: nop{{$}}
	nop
# CHECK-NEXT: alu{{$}}
	paciasp
# CHECK-NEXT: alu{{$}}
	add	x0, x0, x1, lsl #2
# CHECK-NEXT: alu{{$}}
	adrp	x0, kinds
# CHECK-NEXT: alu{{$}}
	mov	w0, #1
# CHECK-NEXT: cond_move{{$}}
	cset	w0, eq
# CHECK-NEXT: multiply{{$}}
	mul	x0, x0, x1
# CHECK-NEXT: multiply{{$}}
	umulh	x0, x0, x1
# CHECK-NEXT: divide{{$}}
	sdiv	x0, x0, x1
# CHECK-NEXT: fp{{$}}
	fadd	d0, d1, d2
# CHECK-NEXT: fp{{$}}
	add	v0.4s, v1.4s, v2.4s
# CHECK-NEXT: fp{{$}}
	fmov	x0, d0
# CHECK-NEXT: fp{{$}}
	fcsel	d0, d1, d2, eq
# CHECK-NEXT: fp_slow{{$}}
	fdiv	d0, d1, d2
# CHECK-NEXT: fp_slow{{$}}
	fsqrt	v0.4s, v1.4s
# CHECK-NEXT: load reads-memory{{$}}
	ldr	x0, [x1, x2, lsl #3]
# CHECK-NEXT: load reads-memory{{$}}
	ldp	x0, x2, [x1], #16
# CHECK-NEXT: load reads-memory{{$}}
	ldr	q0, [x1]
# CHECK-NEXT: load reads-memory{{$}}
	ld1	{ v0.4s, v1.4s }, [x1]
# CHECK-NEXT: load reads-memory{{$}}
	ldr	x0, kinds
# CHECK-NEXT: load reads-memory{{$}}
	ldar	x0, [x1]
# CHECK-NEXT: store writes-memory{{$}}
	strb	w0, [x1]
# CHECK-NEXT: store writes-memory{{$}}
	stlr	x0, [x1]
# CHECK-NEXT: store writes-memory stack{{$}}
	stp	q0, q1, [sp, #32]
# CHECK-NEXT: push writes-memory stack{{$}}
	str	x30, [sp, #-16]!
# CHECK-NEXT: pop reads-memory stack{{$}}
	ldr	x30, [sp], #16
# CHECK-NEXT: atomic reads-memory{{$}}
	ldaxr	x0, [x1]
# CHECK-NEXT: atomic writes-memory{{$}}
	stlxr	w2, x0, [x1]
# CHECK-NEXT: atomic reads-memory writes-memory{{$}}
	ldaddal	x0, x2, [x1]
# CHECK-NEXT: atomic reads-memory writes-memory{{$}}
	cas	x0, x2, [x1]
# CHECK-NEXT: atomic reads-memory writes-memory{{$}}
	swp	x0, x2, [x1]
# CHECK-NEXT: atomic{{$}}
	dmb	ish
# CHECK-NEXT: other{{$}}
	prfm	pldl1keep, [x1]
# CHECK-NEXT: other{{$}}
	yield
# CHECK-NEXT: other{{$}}
	svc	#0
# CHECK-NEXT: other{{$}}
	mrs	x0, TPIDR_EL0
# CHECK-NEXT: repeat reads-memory writes-memory{{$}}
	cpyfp	[x0]!, [x1]!, x2!
# CHECK-NEXT: alu{{$}}
	cmp	x0, x1
# CHECK-NEXT: cond_branch fused{{$}}
	b.eq	.Lend
# CHECK:      alu{{$}}
	subs	x0, x0, #1
# CHECK-NEXT: cond_branch{{$}}
	b.ne	.Lend
# CHECK:      cond_branch{{$}}
	cbz	x0, .Lend
# CHECK:      cond_branch{{$}}
	tbnz	w0, #3, .Lend
# CHECK:      call{{$}}
	bl	outside
# CHECK-NEXT: indirect_call{{$}}
	blr	x0
# CHECK-NEXT: jump{{$}}
	b	outside
# CHECK:      indirect_jump{{$}}
	br	x0
# CHECK:      trap{{$}}
	brk	#1
# CHECK:      trap{{$}}
	udf	#0
.Lend:
# CHECK:      return{{$}}
	ret
	.size	kinds, .-kinds
