import OcellusPlatform

/// The growth of a reader's time with the length of its input.
///
/// It measures the processor time of the thread, which other processes and tests hardly change, and
/// repeats suspicious measurements: only a persistent growth is a failure.
struct CostGrowth: CustomStringConvertible {
  let smallByteCount: Int
  let smallSeconds: Double
  let largeByteCount: Int
  let largeSeconds: Double

  /// The largest allowed factor for four times the bytes; a quadratic reader takes sixteen.
  static let limit = 6.0
  /// Shorter times are ignored: a quadratic reader takes longer at the large size.
  private static let floor = 0.002
  /// The largest time for the shortest inputs, which an exponential reader exceeds at once.
  private static let patience = 0.05
  private static let shortByteCount = 160
  private static let attempts = 4
  #if DEBUG
    private static let byteCount = 1 << 11
  #else
    private static let byteCount = 1 << 12
  #endif

  var description: String {
    "\(smallByteCount) bytes take \(smallSeconds) s and \(largeByteCount) take \(largeSeconds) s"
  }

  /// Returns the excessive growth, or `nil` if a reader keeps to the limit.
  ///
  /// `input` returns about as many bytes as requested. The first lengths grow slowly from a few
  /// bytes, to find an exponential reader before it takes for ever.
  static func excess(
    of read: ([UInt8]) -> Void, input: (_ byteCount: Int) -> [UInt8]
  ) -> CostGrowth? {
    var previous = CostGrowth(
      smallByteCount: 0, smallSeconds: 0, largeByteCount: 0, largeSeconds: 0)
    var count = 8
    while count < shortByteCount {
      let bytes = input(count)
      let seconds = least(of: read, bytes, enough: patience)
      previous = CostGrowth(
        smallByteCount: previous.largeByteCount, smallSeconds: previous.largeSeconds,
        largeByteCount: bytes.count, largeSeconds: seconds)
      if seconds > patience { return previous }
      count += max(4, count / 5)
    }
    return excessAtLength(of: read, input(byteCount), input(4 * byteCount))
  }

  private static func excessAtLength(
    of read: ([UInt8]) -> Void, _ small: [UInt8], _ large: [UInt8]
  ) -> CostGrowth? {
    var smallSeconds = seconds { read(small) }
    var largeSeconds = Double.infinity
    for _ in 0..<attempts {
      largeSeconds = min(largeSeconds, seconds { read(large) })
      if largeSeconds <= max(floor, limit * smallSeconds) { return nil }
      // The small time is the slowest of several, because a disturbed one must not look like
      // growth.
      smallSeconds = max(smallSeconds, seconds { read(small) })
    }
    return CostGrowth(
      smallByteCount: small.count, smallSeconds: smallSeconds, largeByteCount: large.count,
      largeSeconds: largeSeconds)
  }

  private static func least(
    of read: ([UInt8]) -> Void, _ bytes: [UInt8], enough: Double
  ) -> Double {
    var least = Double.infinity
    for _ in 0..<attempts where least > enough { least = min(least, seconds { read(bytes) }) }
    return least
  }

  /// The processor time of this thread.
  private static func seconds(_ work: () -> Void) -> Double {
    let start = threadSeconds
    work()
    return threadSeconds - start
  }

  private static var threadSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
