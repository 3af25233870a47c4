//===- SanitizerOptions.cpp - for builds with AddressSanitizer ------------===//
//
// LLVM's arenas poison what they have not handed out. Distributions build lld
// without that, and the linker keeps one copy of each inline function for both:
// arenas of lld would be poisoned by our code and not unpoisoned by lld's.
//
//===----------------------------------------------------------------------===//

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0";
}
#endif
#endif
