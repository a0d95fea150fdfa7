# AArch64's calls and the stubs that ld makes for them, branch protection
# included; what was loaded from a slot; ends that do not return.

# RUN: llvm-mc -triple=aarch64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s
# RUN: ld.lld -shared -z force-bti -z pac-plt %t.o -o %t.bti 2>/dev/null
# RUN: machine-cfg %t.bti | FileCheck %s

	.text
	.globl	calls
	.hidden	calls
	.type	calls,@function
# CHECK:       calls at
# CHECK-NEXT:    b0
# CHECK-NEXT:      calls outside at
# CHECK-NEXT:      calls through_slot at
# CHECK-NEXT:      calls indirect at
# CHECK-NEXT:      taken -> b2
# CHECK-NEXT:      falls -> b1
# CHECK-NEXT:    b1 {{.*}} exit
# CHECK-NEXT:      calls abort at
# CHECK-NEXT:    b2 {{.*}} exit
# CHECK-NEXT:      tail-calls last at
calls:
	bl	outside
	adrp	x8, :got:through_slot
	ldr	x8, [x8, :got_lo12:through_slot]
	blr	x8
	blr	x19
	cbz	w0, .Lend
	bl	abort
.Lend:
	b	last
	.size	calls, .-calls
