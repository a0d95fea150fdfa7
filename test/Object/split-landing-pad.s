# A landing pad in the cold part, which nothing else leads to: the exception
# table counts from there.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared --eh-frame-hdr %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s

# CHECK:       catches at {{.*}}: address-taken{{$}}
# CHECK-NEXT:    part 0x
# CHECK-NEXT:    b0 {{.*}} exit
# CHECK-NEXT:      calls work at
# CHECK-NEXT:    b1 {{.*}} unreachable
# CHECK-NEXT:      falls -> b2
# CHECK-NEXT:    b2 {{.*}} landing-pad exit
# CHECK-NEXT:      calls _Unwind_Resume at
# CHECK-NOT:   cold

	.section	.text.unlikely,"ax",@progbits
	.type	catches.cold,@function
catches.cold:
	nop
.Lpad:
	movq	%rax, %rdi
	callq	_Unwind_Resume@PLT
	.size	catches.cold, .-catches.cold

	.text
	.globl	catches
	.type	catches,@function
catches:
	.cfi_startproc
	.cfi_personality 0x9b, DW.ref.personality # indirect, relative, 4 bytes
	.cfi_lsda 0x1b, .Lexceptions              # relative, 4 bytes
.Lbegin:
	callq	work@PLT
.Lend:
	retq
	.cfi_endproc
	.size	catches, .-catches

	.section	.gcc_except_table,"a",@progbits
.Lexceptions:
	.byte	0x1b                       # landing pads count from ...
	.long	catches.cold-.
	.byte	0xff                       # no types
	.byte	0x01                       # call sites: ULEB128
	.uleb128 .Lsites_end-.Lsites
.Lsites:
	.uleb128 .Lbegin-.Lbegin
	.uleb128 .Lend-.Lbegin
	.uleb128 .Lpad-catches.cold
	.uleb128 0
.Lsites_end:

	.section	.data.rel.ro,"aw",@progbits
	.p2align	3
DW.ref.personality:
	.quad	__gxx_personality_v0
