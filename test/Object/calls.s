# Names of callees: functions of the binary, linkage stubs of all kinds that ld
# makes, and slots that the dynamic linker fills. A stub may lead to a function of
# the binary itself.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t.lazy
# RUN: machine-cfg %t.lazy calls | FileCheck %s
# RUN: ld.lld -shared -z now %t.o -o %t.now
# RUN: machine-cfg %t.now calls | FileCheck %s
# RUN: ld.lld -shared -z force-ibt %t.o -o %t.ibt
# RUN: machine-cfg %t.ibt calls | FileCheck %s
# RUN: ld.lld -shared -z retpolineplt %t.o -o %t.retpoline
# RUN: machine-cfg %t.retpoline calls | FileCheck %s --check-prefix=UNKNOWN

# CHECK:       calls at
# CHECK-NEXT:    b0
# CHECK-NEXT:      calls inside at
# CHECK-NEXT:      calls outside at
# CHECK-NEXT:      calls through_slot at
# CHECK-NEXT:      calls loaded_before at
# CHECK-NEXT:      calls indirect at
# CHECK-NEXT:      calls calls at
# CHECK-NEXT:      calls exported through a stub at
# CHECK-NEXT:      tail-calls last at

# These stubs jump by a return.
# UNKNOWN:         calls inside at
# UNKNOWN-NEXT:    calls 0x{{[0-9a-f]+}} at

	.text
	.local	inside
	.type	inside,@function
inside:
	retq
	.size	inside, .-inside

	.globl	exported
	.type	exported,@function
exported:
	retq
	.size	exported, .-exported

	.globl	calls
	.hidden	calls
	.type	calls,@function
calls:
	callq	inside
	callq	outside@PLT
	callq	*through_slot@GOTPCREL(%rip)
	movq	loaded_before@GOTPCREL(%rip), %rax
	xorl	%edi, %edi
	callq	*%rax
	callq	*(%rbx)
	callq	calls
	callq	exported@PLT
	jmp	last@PLT
	.size	calls, .-calls
