// Waits for Swift's `Mutex` in code that the thread sanitizer sees.
//
// A thread that finds a mutex locked calls `_MutexHandle._lockSlow` of the standard library, which
// is not instrumented: the sanitizer does not learn that the mutex was acquired, and reports a race
// on the data that it protects. When preloaded, this function replaces that one. It is used by
// tests only.
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

// A function of the sanitizer's runtime, which child processes of tests do not have.
void __tsan_acquire(void *address) __attribute__((weak));

__attribute__((swiftcall)) void lock_slowly(
    uint32_t thread, __attribute__((swift_context)) _Atomic uint32_t *holder)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");

__attribute__((swiftcall)) void lock_slowly(
    uint32_t thread, __attribute__((swift_context)) _Atomic uint32_t *holder) {
  uint32_t nobody = 0;
  while (!atomic_compare_exchange_weak_explicit(
      holder, &nobody, thread, memory_order_acquire, memory_order_relaxed)) {
    nobody = 0;
    sched_yield();
  }
  if (__tsan_acquire) __tsan_acquire((void *)holder);
}
