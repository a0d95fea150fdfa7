; A wrong parameter is an error that lists the right ones.
; RUN: not %opt_inlay -passes='inlay<nonsense>' -disable-output %s 2>&1 | FileCheck %s -DBAD=nonsense
; RUN: not %opt_inlay -passes='inlay<profile=>' -disable-output %s 2>&1 | FileCheck %s -DBAD=profile=
; RUN: not %opt_inlay -passes='inlay<profile=x;hot-count=many>' -disable-output %s 2>&1 | FileCheck %s -DBAD=hot-count=many
; RUN: not %opt_inlay -passes='inlay<hot-count=-1>' -disable-output %s 2>&1 | FileCheck %s -DBAD=hot-count=-1
; CHECK: error: invalid parameter '[[BAD]]' of pass 'inlay' (known: profile=FILE, hot-count=N, no-inline; separated by ';')
; Something else that begins with the name is not ours.
; RUN: not %opt_inlay -passes='inlayed' -disable-output %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; UNKNOWN: unknown pass name 'inlayed'
