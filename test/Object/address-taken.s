# Functions that something besides direct calls may lead to: their address is in
# relocated data, they are exported, code that was looked at before mentions them,
# or execution starts there. Without relocations any word of the data counts.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -pie -e start --export-dynamic-symbol=exported %t.o -o %t
# RUN: machine-cfg %t start called in_data in_code exported | FileCheck %s
# RUN: ld.lld -pie -e start --export-dynamic-symbol=exported \
# RUN:   --pack-dyn-relocs=relr %t.o -o %t.relr
# RUN: machine-cfg %t.relr start called in_data in_code exported | FileCheck %s
# RUN: ld.lld -no-pie -e start %t.o -o %t.fixed
# RUN: machine-cfg %t.fixed start called in_data in_code exported \
# RUN:   | FileCheck %s --check-prefix=FIXED

# CHECK: start at {{.*}}: address-taken{{$}}
# CHECK: called at {{[0-9a-fx]+}}:{{$}}
# CHECK: in_data at {{.*}}: address-taken{{$}}
# CHECK: in_code at {{.*}}: address-taken{{$}}
# CHECK: exported at {{.*}}: address-taken{{$}}

# What is mentioned where execution starts is known without asking for that.
# RUN: machine-cfg %t in_code | FileCheck %s --check-prefix=ALONE
# ALONE: in_code at {{.*}}: address-taken{{$}}

# FIXED: start at {{.*}}: address-taken{{$}}
# FIXED: called at {{[0-9a-fx]+}}:{{$}}
# FIXED: in_data at {{.*}}: address-taken{{$}}
# FIXED: in_code at {{.*}}: address-taken{{$}}
# FIXED: exported at {{[0-9a-fx]+}}:{{$}}

	.text
	.globl	start, called, in_data, in_code, exported
	.type	start,@function
	.type	called,@function
	.type	in_data,@function
	.type	in_code,@function
	.type	exported,@function
start:
	callq	called
	leaq	in_code(%rip), %rax
	retq
	.size	start, .-start
called:
	retq
	.size	called, .-called
in_data:
	retq
	.size	in_data, .-in_data
in_code:
	retq
	.size	in_code, .-in_code
exported:
	retq
	.size	exported, .-exported

	.data
	.p2align	3
	.quad	in_data
