# Debug information that nests a million entries cannot overflow the stack: the
# unit is ignored, with a warning.

# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %clang --target=x86_64-linux-gnu -c %s -o app.o
# RUN: ld.lld -shared app.o -o app
# RUN: echo 'event cpu-clock:u' > samples
# RUN: echo 'map pid=10 file=app base=0x7f0000000000' >> samples
# RUN: echo 'sample app+work x40' >> samples
# RUN: perfdata-compose samples -o perf.data
# RUN: not llvm-profconv perf.data -o out.prof 2>&1 | FileCheck %s
# CHECK: warning: app: debug information: the unit at .debug_info+0x0 nests its entries too deeply; ignored
# CHECK: error: app: has no debug information for the functions that were sampled (the hottest is work)

	.text
	.globl	work
	.type	work,@function
work:
	.file	1 "app.c"
	.loc	1 1
	nop
	ret
.Lend:
	.size	work, .Lend-work

	.section	.debug_abbrev,"",@progbits
	.byte	1			# a unit: name, line table, low_pc, high_pc
	.byte	17
	.byte	1
	.byte	3, 8, 16, 23, 17, 1, 18, 6
	.byte	0, 0
	.byte	2			# a subprogram: name, low_pc, high_pc
	.byte	46
	.byte	1
	.byte	3, 8, 17, 1, 18, 6
	.byte	0, 0
	.byte	3			# a lexical block, with children
	.byte	11
	.byte	1
	.byte	17, 1, 18, 6
	.byte	0, 0
	.byte	0

	.section	.debug_info,"",@progbits
	.long	.Linfo_end-.Linfo
.Linfo:
	.short	4
	.long	.debug_abbrev
	.byte	8
	.byte	1
	.asciz	"app.c"
	.long	.debug_line
	.quad	work
	.long	.Lend-work
	.byte	2
	.asciz	"work"
	.quad	work
	.long	.Lend-work
	.rept	1000000
	.byte	3
	.quad	work
	.long	.Lend-work
	.endr
.Linfo_end:

	.section	.debug_line,"",@progbits
