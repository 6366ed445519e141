import OcellusPlatform

/// The processors that a thread may run on.
struct ProcessorSet {
  /// A bit for each of 1,024 processors, as in the C library's `cpu_set_t`.
  private var bits: SIMD16<UInt64>

  /// Those of a thread, if they can be known here.
  init?(of thread: pthread_t) {
    guard let library = AffinityFunctions.shared else { return nil }
    var bits = SIMD16<UInt64>()
    guard library.get(thread, MemoryLayout.size(ofValue: bits), &bits) == 0 else { return nil }
    self.bits = bits
  }

  /// How many there are.
  var count: Int {
    var count = 0
    for index in bits.indices { count += bits[index].nonzeroBitCount }
    return count
  }

  /// All but the one that the caller runs on; `nil` if there is no other.
  var withoutCurrent: ProcessorSet? {
    guard let processor = AffinityFunctions.shared?.current(), processor >= 0,
      processor < 64 * bits.scalarCount
    else { return nil }
    var others = self
    others.bits[Int(processor) / 64] &= ~(1 << UInt64(processor % 64))
    return others.bits == SIMD16() ? nil : others
  }

  /// Keeps a thread to these, and tells whether the system agrees.
  @discardableResult
  func confine(_ thread: pthread_t) -> Bool {
    var bits = bits
    return AffinityFunctions.shared?.set(thread, MemoryLayout.size(ofValue: bits), &bits) == 0
  }
}

/// Functions of the C library that are extensions, for which its Swift module has no names.
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
