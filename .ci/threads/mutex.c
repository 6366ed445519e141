// Waits for Swift's `Mutex` where the thread sanitizer sees it.
//
// Whoever finds a mutex held goes through `_MutexHandle._lockSlow` of the standard library, which is
// not instrumented: the sanitizer does not learn that the mutex has been taken, and calls a race
// whatever the two do with what it guards. Preloaded, this function takes that one's place. It is for
// tests alone, and no part of the product.
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

// The sanitizer's; programs that tests start are without it.
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
