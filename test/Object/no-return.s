# Calls that never return end their block: of library functions by their names,
# of the binary's own functions by what they do, in the end, on all ways.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s

	.text
	.local	fail, fail_by_tail_call, loop, may_fail, returns
	.type	fail,@function
fail:
	pushq	%rax
	testl	%edi, %edi
	je	.Labort
	callq	exit@PLT
.Labort:
	callq	*abort@GOTPCREL(%rip)
	.size	fail, .-fail

	.type	fail_by_tail_call,@function
fail_by_tail_call:
	movl	$1, %edi
	jmp	fail
	.size	fail_by_tail_call, .-fail_by_tail_call

	.type	loop,@function
loop:
	callq	work@PLT
	jmp	loop
	.size	loop, .-loop

	.type	may_fail,@function
may_fail:
	testl	%edi, %edi
	jne	fail
	retq
	.size	may_fail, .-may_fail

	.globl	known
	.type	known,@function
# CHECK-LABEL: known at
# CHECK:         b1 {{.*}} exit
# CHECK-NEXT:      calls __assert_fail at
# CHECK-NEXT:    b2 {{.*}} exit
known:
	testl	%edi, %edi
	je	.Lgood
	callq	__assert_fail@PLT
.Lgood:
	retq
	.size	known, .-known

	.globl	found
	.type	found,@function
# CHECK-LABEL: found at
# CHECK:         b3 {{.*}} exit
# CHECK-NEXT:      calls fail_by_tail_call at
# CHECK-NEXT:    b4 {{.*}} exit
# CHECK-NEXT:      calls loop at
# CHECK-NEXT:    b5 {{.*}}
# CHECK-NEXT:      calls may_fail at
# CHECK-NEXT:      falls -> b6
# CHECK-NEXT:    b6 {{.*}} exit
found:
	testl	%edi, %edi
	je	.Lloop
	jns	.Lmaybe
	jp	.Lend
	callq	fail_by_tail_call
.Lloop:
	callq	loop
.Lmaybe:
	callq	may_fail
.Lend:
	retq
	.size	found, .-found

# Behind the last call there is nothing to return to, or only padding.
	.globl	last
	.type	last,@function
# CHECK-LABEL: last at
# CHECK-NEXT:    b0 {{.*}} exit
# CHECK-NEXT:      calls fail at
# CHECK-NEXT:    b1 {{.*}} unreachable
last:
	callq	fail
	nopw	(%rax,%rax)
	.size	last, .-last

	.globl	throws
	.type	throws,@function
# CHECK-LABEL: throws at
# CHECK-NEXT:    b0 {{.*}} exit
# CHECK-NEXT:      calls _ZSt20__throw_length_errorPKc at
throws:
	callq	_ZSt20__throw_length_errorPKc@PLT
	.size	throws, .-throws
