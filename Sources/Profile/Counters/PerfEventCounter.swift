import OcellusPlatform

/// A performance counter of the current thread, which counts from its creation on.
package final class PerfEventCounter {
  /// The reason why the system refuses a counter.
  package struct Refusal: Error {
    package let reason: String
  }

  package let counter: ProcessorCounter
  private let descriptor: Int32

  /// The variadic `long syscall(long number, …)`, which Swift cannot import.
  private typealias SystemCall =
    @convention(c) (
      Int, UnsafeMutableRawPointer?, Int32, Int32, Int32, UInt
    ) -> Int

  #if arch(x86_64)
    private static let openNumber: Int? = 298
  #elseif arch(arm64)
    private static let openNumber: Int? = 241
  #else
    private static let openNumber: Int? = nil
  #endif

  package init(_ counter: ProcessorCounter) throws(Refusal) {
    self.counter = counter
    guard let number = Self.openNumber, let symbol = dlsym(nil, "syscall") else {
      throw Refusal(reason: "this system has no counters")
    }
    let call = unsafeBitCast(symbol, to: SystemCall.self)
    // struct perf_event_attr in its first version: type, size, config; flags at byte 40. The flag
    // exclude_kernel leaves out the kernel's work, as unprivileged processes must.
    let (kind, event) = counter.event
    let size = 64
    var attributes = [UInt8](repeating: 0, count: size)
    let result = attributes.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: kind, as: UInt32.self)
      bytes.storeBytes(of: UInt32(size), toByteOffset: 4, as: UInt32.self)
      bytes.storeBytes(of: event, toByteOffset: 8, as: UInt64.self)
      bytes.storeBytes(of: UInt64(kind == 0 ? 1 << 5 : 0), toByteOffset: 40, as: UInt64.self)
      // This thread, any processor, no group, PERF_FLAG_FD_CLOEXEC.
      return call(number, bytes.baseAddress, 0, -1, -1, 8)
    }
    guard result >= 0 else { throw Refusal(reason: Self.reason(errno)) }
    descriptor = Int32(truncatingIfNeeded: result)
  }

  deinit { close(descriptor) }

  /// The current count.
  package var value: Int {
    var count: UInt64 = 0
    return read(descriptor, &count, 8) == 8 ? Int(truncatingIfNeeded: count) : 0
  }

  private static func reason(_ error: Int32) -> String {
    switch error {
    case ENOENT, EOPNOTSUPP, ENODEV: "the processor, or the virtual machine, has none for them"
    case EACCES, EPERM: "the system does not allow it: see /proc/sys/kernel/perf_event_paranoid"
    default: "the system refuses: \(String(cString: strerror(error)))"
    }
  }
}
