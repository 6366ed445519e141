import OcellusPlatform

/// How the time that a reader takes grows with the length of what it reads.
///
/// It counts the processor time of the thread, which other processes and tests do not change by much, and
/// measures again whatever looks bad, so that only a lasting growth is a failure.
struct CostGrowth: CustomStringConvertible {
  let smallByteCount: Int
  let smallSeconds: Double
  let largeByteCount: Int
  let largeSeconds: Double

  /// Four times the bytes may take so many times the time; a quadratic reader takes sixteen times.
  static let limit = 6.0
  /// Times below are no times: a reader that is quadratic takes longer at the large size.
  private static let floor = 0.002
  /// What the shortest inputs may take, which an exponential reader exceeds at once.
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

  /// The growth that is too much, or `nil` where a reader keeps to the limit.
  ///
  /// `input` makes bytes of about the length that it is asked for. Lengths grow slowly from a few bytes on,
  /// so that what is exponential is found before it takes for ever.
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
      // The small one is the slower of several: what disturbs it must not look like growth.
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
