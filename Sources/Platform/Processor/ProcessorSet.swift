/// The processors that a thread may run on.
package struct ProcessorSet {
  /// A bit for each of 1,024 processors, as in the C library's `cpu_set_t`.
  private var bits: SIMD16<UInt64>

  /// Returns the processors of a thread; `nil` if this system cannot tell.
  package init?(of thread: pthread_t) {
    guard let library = AffinityFunctions.shared else { return nil }
    var bits = SIMD16<UInt64>()
    guard library.get(thread, MemoryLayout.size(ofValue: bits), &bits) == 0 else { return nil }
    self.bits = bits
  }

  /// The number of processors.
  package var count: Int {
    var count = 0
    for index in bits.indices { count += bits[index].nonzeroBitCount }
    return count
  }

  /// The set without the processor that the caller runs on; `nil` if that leaves none.
  package var withoutCurrent: ProcessorSet? {
    guard let processor = Self.current, processor < 64 * bits.scalarCount else { return nil }
    var others = self
    others.bits[processor / 64] &= ~(1 << UInt64(processor % 64))
    return others.bits == SIMD16() ? nil : others
  }

  /// The number of the processor that the caller runs on; `nil` if this system cannot tell.
  package static var current: Int? {
    guard let processor = AffinityFunctions.shared?.current(), processor >= 0 else { return nil }
    return Int(processor)
  }

  /// Restricts a thread to these processors, and returns whether the system allowed it.
  @discardableResult
  package func confine(_ thread: pthread_t) -> Bool {
    var bits = bits
    return AffinityFunctions.shared?.set(thread, MemoryLayout.size(ofValue: bits), &bits) == 0
  }
}

extension ProcessorSet {
  /// The number of processors that this program may keep busy, at least one.
  ///
  /// It counts those that the program may run on, or fewer if its container has a quota of
  /// processor time.
  package static var allowedCount: Int {
    let online = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    let count = ProcessorSet(of: pthread_self())?.count ?? online
    return max(1, min(count, quota ?? count))
  }

  /// The quota of Linux control groups in processors, rounded up.
  private static var quota: Int? {
    // Version 2: one file with the quota and the period in microseconds; the quota may be "max".
    if let fields = numbers(in: "/sys/fs/cgroup/cpu.max"), fields.count == 2 {
      return share(fields[0], of: fields[1])
    }
    // Version 1: two files, of which the first contains -1 if there is no quota.
    let folder = "/sys/fs/cgroup/cpu"
    guard let time = numbers(in: "\(folder)/cpu.cfs_quota_us")?.first,
      let period = numbers(in: "\(folder)/cpu.cfs_period_us")?.first
    else { return nil }
    return share(time, of: period)
  }

  private static func share(_ time: Int?, of period: Int?) -> Int? {
    guard let time, let period, time > 0, period > 0 else { return nil }
    return (time - 1) / period + 1
  }

  /// Returns the fields of a short file; `nil` for those that are not numbers.
  private static func numbers(in path: String) -> [Int?]? {
    guard let bytes = try? FileSystem.read(path, limit: 256) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).map {
      Int($0)
    }
  }
}

/// Extensions of the C library that its Swift module does not declare.
private struct AffinityFunctions {
  typealias Affinity = @convention(c) (pthread_t, Int, UnsafeMutableRawPointer) -> Int32

  let get: Affinity
  let set: Affinity
  let current: @convention(c) () -> Int32

  static let shared = AffinityFunctions()

  private init?() {
    guard let get = dlsym(nil, "pthread_getaffinity_np"),
      let set = dlsym(nil, "pthread_setaffinity_np"), let current = dlsym(nil, "sched_getcpu")
    else { return nil }
    self.get = unsafeBitCast(get, to: Affinity.self)
    self.set = unsafeBitCast(set, to: Affinity.self)
    self.current = unsafeBitCast(current, to: (@convention(c) () -> Int32).self)
  }
}
