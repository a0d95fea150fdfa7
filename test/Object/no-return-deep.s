# Whether a function returns may depend on a long row of callees, each called
# twice, and on functions that call each other. The question has an end, and the
# answer is right as far as one looks.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s

	.text
.macro chain name next
	.local	\name
	.type	\name,@function
\name:
	callq	\next
	nop
	callq	\next
	nop
	.size	\name, .-\name
.endm

	.altmacro
.macro chain_from number last
	chain	link\number, link\last
.endm
.set I, 0
.rept 200
	chain_from %I, %(I+1)
.set I, I+1
.endr
	.local	link200
	.type	link200,@function
link200:
	callq	abort@PLT
	.size	link200, .-link200

# CHECK:       {{^}}link180 at
# CHECK-NEXT:    b0 0x{{[0-9a-f.x]+}} x1 exit

# CHECK:       {{^}}odd at
# CHECK-NEXT:    b0 {{.*}}
# CHECK-NEXT:      taken -> b2
# CHECK-NEXT:      falls -> b1
# CHECK-NEXT:    b1 {{.*}} x1 exit
# CHECK-NEXT:      calls even at
	.local	even, odd
	.type	even,@function
even:
	decl	%edi
	je	.Lfail
	callq	odd
.Lfail:
	callq	abort@PLT
	.size	even, .-even
	.type	odd,@function
odd:
	decl	%edi
	je	.Lfail_too
	callq	even
.Lfail_too:
	callq	abort@PLT
	.size	odd, .-odd
