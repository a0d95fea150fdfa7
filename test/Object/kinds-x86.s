# What x86-64 instructions do, by LLVM's descriptors and names.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg --kinds %t | FileCheck %s --implicit-check-not=stack

	.text
	.globl	kinds
	.type	kinds,@function
# CHECK: kinds at
kinds:
# CHECK:      nop{{$}}
	endbr64
# CHECK-NEXT: nop{{$}}
	nopw	(%rax,%rax)
# CHECK-NEXT: alu{{$}}
	movq	%rdi, %rax
# CHECK-NEXT: alu{{$}}
	leaq	8(%rdi,%rsi), %rax
# CHECK-NEXT: alu{{$}}
	shlq	$3, %rax
# CHECK-NEXT: alu{{$}}
	sete	%al
# CHECK-NEXT: cond_move{{$}}
	cmovneq	%rdi, %rax
# CHECK-NEXT: multiply{{$}}
	imulq	%rdi, %rax
# CHECK-NEXT: multiply reads-memory{{$}}
	mulq	(%rdi)
# CHECK-NEXT: divide{{$}}
	idivq	%rcx
# CHECK-NEXT: divide reads-memory{{$}}
	divl	(%rcx)
# CHECK-NEXT: fp{{$}}
	addsd	%xmm0, %xmm1
# CHECK-NEXT: fp{{$}}
	cvttsd2si %xmm0, %rax
# CHECK-NEXT: fp{{$}}
	pxor	%xmm0, %xmm0
# CHECK-NEXT: fp{{$}}
	vpaddd	%ymm0, %ymm1, %ymm2
# CHECK-NEXT: fp{{$}}
	vzeroupper
# CHECK-NEXT: fp{{$}}
	fchs
# CHECK-NEXT: fp_slow{{$}}
	divsd	%xmm0, %xmm1
# CHECK-NEXT: fp_slow reads-memory{{$}}
	sqrtsd	(%rdi), %xmm1
# CHECK-NEXT: fp_slow{{$}}
	vdivps	%ymm0, %ymm1, %ymm2
# CHECK-NEXT: fp_slow{{$}}
	fsin
# CHECK-NEXT: load reads-memory{{$}}
	movq	(%rdi), %rax
# CHECK-NEXT: load reads-memory{{$}}
	movzbl	(%rdi), %eax
# CHECK-NEXT: load reads-memory{{$}}
	movsd	(%rdi), %xmm0
# CHECK-NEXT: load reads-memory{{$}}
	vmovups	(%rdi), %ymm0
# CHECK-NEXT: load reads-memory{{$}}
	fldl	(%rdi)
# CHECK-NEXT: load_op reads-memory{{$}}
	addq	(%rdi), %rax
# CHECK-NEXT: load_op reads-memory{{$}}
	cmpl	%eax, (%rdi)
# CHECK-NEXT: load_op reads-memory{{$}}
	addsd	(%rdi), %xmm0
# CHECK-NEXT: load_op reads-memory{{$}}
	cmovneq	(%rdi), %rax
# CHECK-NEXT: store writes-memory{{$}}
	movq	%rax, (%rdi)
# CHECK-NEXT: store writes-memory{{$}}
	movl	$1, (%rdi)
# CHECK-NEXT: store writes-memory{{$}}
	setne	(%rdi)
# CHECK-NEXT: store writes-memory{{$}}
	movntps	%xmm0, 1(%rdi)
# CHECK-NEXT: store writes-memory{{$}}
	stmxcsr	(%rdi)
# CHECK-NEXT: load_op reads-memory{{$}}
	ldmxcsr	(%rdi)
# CHECK-NEXT: store writes-memory{{$}}
	fxsave	(%rdi)
# CHECK-NEXT: store writes-memory{{$}}
	vmaskmovps %xmm0, %xmm1, (%rdi)
# CHECK-NEXT: load_op reads-memory{{$}}
	vmaskmovps (%rdi), %xmm0, %xmm1
# CHECK-NEXT: store writes-memory{{$}}
	fstpl	(%rdi)
# CHECK-NEXT: store writes-memory{{$}}
	vextractf128 $1, %ymm0, (%rdi)
# CHECK-NEXT: read_modify_write reads-memory writes-memory{{$}}
	addq	%rax, (%rdi)
# CHECK-NEXT: read_modify_write reads-memory writes-memory{{$}}
	incl	(%rdi)
# CHECK-NEXT: read_modify_write reads-memory writes-memory{{$}}
	cmpxchgl %ecx, (%rdi)
# CHECK-NEXT: atomic reads-memory writes-memory{{$}}
	lock addq %rax, (%rdi)
# CHECK-NEXT: atomic reads-memory writes-memory{{$}}
	lock cmpxchgl %ecx, (%rdi)
# CHECK-NEXT: atomic reads-memory writes-memory{{$}}
	xchgl	%eax, (%rdi)
# CHECK-NEXT: alu{{$}}
	xchgl	%ecx, %edx
# CHECK-NEXT: atomic{{$}}
	mfence
# CHECK-NEXT: read_modify_write reads-memory writes-memory{{$}}
	movsb
# CHECK-NEXT: repeat reads-memory writes-memory{{$}}
	rep movsq
# CHECK-NEXT: repeat writes-memory{{$}}
	rep stosb
# CHECK-NEXT: repeat reads-memory{{$}}
	repne scasb
# CHECK-NEXT: other{{$}}
	prefetcht0 (%rdi)
# CHECK-NEXT: other{{$}}
	pause
# CHECK-NEXT: other{{$}}
	cpuid
# CHECK-NEXT: other{{$}}
	syscall
# CHECK-NEXT: indirect_call writes-memory stack{{$}}
	callq	*%rax
# CHECK-NEXT: indirect_call reads-memory writes-memory stack{{$}}
	callq	*(%rax)
# CHECK-NEXT: call writes-memory stack{{$}}
	callq	outside@PLT
# CHECK-NEXT: jump{{$}}
	jmp	outside@PLT
# CHECK:      indirect_jump{{$}}
	jmpq	*%rax
# CHECK:      indirect_jump reads-memory{{$}}
	jmpq	*(%rax)
# CHECK:      cond_branch{{$}}
	jo	kinds_end
# CHECK:      cond_branch{{$}}
	jrcxz	kinds_end
# CHECK:      return reads-memory stack{{$}}
	retq
# CHECK:      trap{{$}}
	ud2
# CHECK:      trap{{$}}
	int3
kinds_end:
# CHECK:      trap{{$}}
	hlt
	.size	kinds, .-kinds
