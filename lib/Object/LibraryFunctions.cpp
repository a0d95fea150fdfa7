//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the headers of glibc, musl, libstdc++, libc++ and the unwinders.
//
//===----------------------------------------------------------------------===//

#include "LibraryFunctions.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace inlay {

bool neverReturns(StringRef Name) {
  static const StringSet<> Names = {
      "abort",
      "exit",
      "_exit",
      "_Exit",
      "quick_exit",
      "thrd_exit",
      "pthread_exit",
      "__assert_fail",
      "__assert_perror_fail",
      "__assert",
      "__assert_rtn",
      "longjmp",
      "_longjmp",
      "siglongjmp",
      "__longjmp_chk",
      "__stack_chk_fail",
      "__stack_chk_fail_local",
      "__chk_fail",
      "__fortify_fail",
      "__libc_fatal",
      "__libc_start_main",
      "err",
      "errx",
      "verr",
      "verrx",
      "svc_exit",
      "__cxa_throw",
      "__cxa_rethrow",
      "__cxa_bad_cast",
      "__cxa_bad_typeid",
      "__cxa_throw_bad_array_length",
      "__cxa_throw_bad_array_new_length",
      "__cxa_pure_virtual",
      "__cxa_deleted_virtual",
      "__cxa_call_terminate",
      "__cxa_call_unexpected",
      "__clang_call_terminate",
      "_Unwind_Resume",
      "_ZSt9terminatev",
      "_ZSt10unexpectedv",
      "_ZSt17rethrow_exceptionNSt15__exception_ptr13"
      "exception_ptrE",
      "_ZSt21__glibcxx_assert_failPKciS0_S0_"};
  if (Names.contains(Name))
    return true;
  // std::__throw_length_error(char const*) and the like: _ZSt<length>__throw_,
  // _ZNSt3__1<length>__throw_ in libc++.
  if (!Name.consume_front("_ZSt") && !Name.consume_front("_ZNSt3__1"))
    return false;
  return Name.ltrim("0123456789").starts_with("__throw_");
}

bool mayReturnTwice(StringRef Name) {
  static const StringSet<> Names = {"setjmp",      "_setjmp", "sigsetjmp",
                                    "__sigsetjmp", "vfork",   "getcontext",
                                    "savectx"};
  return Names.contains(Name);
}

} // namespace inlay
