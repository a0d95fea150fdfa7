# branch-stacks tells from the addresses of superblocks which branches were taken.

# RUN: split-file %s %t && cd %t
# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj code.s -o code.o
# RUN: ld.lld -e start -Ttext=0x201000 code.o -o code
# RUN: branch-stacks code --base=0x200000 --every=1 --depth=2 <trace | FileCheck %s

# The same, mapped elsewhere; every third branch, and all before it:
# RUN: sed 's/SB 00201/SB 00501/' trace >moved
# RUN: branch-stacks code --base=0x500000 --every=3 <moved | FileCheck %s --check-prefix=MOVED

# It must be the right address:
# RUN: not branch-stacks code --base=0x800000 <trace 2>&1 | FileCheck %s --check-prefix=WRONG
# WRONG: error: no branch stack: 13 superblocks, 0 branches taken in the binary; is --base right?

# CHECK:      PERF_RECORD_MMAP2 1/1: [0x201000(0x1000) @ {{.*}}]: r-xp code

# From outside.
# CHECK-NEXT: {{^}} 201000 0x401000/0x201000/P/-/-/0{{$}}
# The loop: back into the middle of the block, and not again the second time; then
# the call. The latest branch comes first.
# CHECK-NEXT: {{^}} 201002 0x201004/0x201002/P/-/-/0 0x401000/0x201000/P/-/-/0{{$}}
# CHECK-NEXT: {{^}} 201080 0x201006/0x201080/P/-/-/0 0x201004/0x201002/P/-/-/0{{$}}
# 100 instructions that do not branch make a superblock, and so does one that
# repeats itself, however often: no branches. The return is one.
# CHECK-NEXT: {{^}} 20100b 0x2010fa/0x20100b/P/-/-/0 0x201006/0x201080/P/-/-/0{{$}}
# To the outside; what happens there is not seen, but coming back is.
# CHECK-NEXT: {{^}} 401000 0x20100b/0x401000/P/-/-/0 {{.*}}
# CHECK-NEXT: {{^}} 20100d 0x402000/0x20100d/P/-/-/0 {{.*}}
# CHECK-NOT:  {{.}}

# MOVED:      [0x501000(0x1000) @
# MOVED-NEXT: {{^}} 501080 0x501006/0x501080/P/-/-/0 0x501004/0x501002/P/-/-/0 0x401000/0x501000/P/-/-/0{{$}}
# MOVED-NEXT: {{^}} 50100d 0x402000/0x50100d/P/-/-/0 {{.*}}
# MOVED-NOT:  {{.}}

#--- trace
==1== Lackey, an example Valgrind tool
SB 00401000
SB 00201000
SB 00201002
SB 00201006
SB 00201080
SB 002010e4
SB 002010f8
SB 002010f8
SB 002010fa
SB 0020100b
SB 00401000
SB 00402000
SB 0020100d
==1== bye

#--- code.s
	.globl	start
	.type	start,@function
start:
	pushq	%rax
	nop
loop:
	decl	%ebx
	jne	loop
	callq	callee
	callq	*%rax
	retq
	.size	start, .-start

	.p2align	7
	.type	callee,@function
callee:
	.rept	120
	nop
	.endr
	rep	movsb
	retq
	.size	callee, .-callee
