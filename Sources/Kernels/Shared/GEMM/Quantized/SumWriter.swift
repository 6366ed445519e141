import OcellusKernelABI

/// The epilogue of up to four vectors of sums of the same columns.
protocol SumWriter {
  /// The parameters of the scaling that are known when a kernel runs.
  associatedtype Scaling
  /// Reads the multipliers of the columns.
  init(_ scales: UnsafeRawPointer, _ scaling: Scaling)
  /// The size of a result in bytes.
  static var outputBytes: Int { get }
  /// Writes the results of the first `count` vectors; `count` is a literal at every call: 1, 2 or
  /// 4.
  func write(
    _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector, count: Int,
    to destination: ResultDestination)
  #if WINDOW_QUADS
    /// Returns the result of a vector of sums before it is narrowed to bytes.
    func result(_ sums: SumVector) -> SumVector
    /// Writes the results of 64 channels, which are in the order of `QuadBlocks`.
    static func write(
      _ results: QuadSums, _ scaling: Scaling, to output: UnsafeMutableRawPointer)
  #endif
}

/// The destination of up to four vectors of results.
struct ResultDestination {
  var output: UnsafeMutableRawPointer
  /// The distance in bytes from the first result to the second, and from the third to the fourth.
  var stride: Int
  /// The distance in bytes from the first pair to the second.
  var pairStride: Int
  /// The number of columns to store.
  var width: Int
  /// Scratch for one vector.
  var scratch: UnsafeMutableRawPointer

  @inline(__always)
  func address(_ row: Int) -> UnsafeMutableRawPointer {
    output + (row / 2 &* pairStride &+ row % 2 &* stride)
  }
}

/// The epilogue that scales sums to bytes.
struct ScaledWriter<Scale: VectorScale>: SumWriter {
  private var scale: Scale
  private var range: QuantizedRange
  private var bytes: ByteRange

  @inline(__always)
  init(_ scales: UnsafeRawPointer, _ range: QuantizedRange) {
    let offset = Scale.isBounded ? range.narrowingOffset : 0
    scale = Scale(scales, zeroPoint: SumVector(repeating: range.zeroPoint &- offset))
    self.range = range
    bytes = ByteRange(range)
  }

  @inline(__always)
  static var outputBytes: Int { 1 }

  @inline(__always)
  func write(
    _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector, count: Int,
    to destination: ResultDestination
  ) {
    let first = scaled(a)
    let second = count > 1 ? scaled(b) : first
    let third = count > 2 ? scaled(c) : second
    let fourth = count > 2 ? scaled(d) : second
    bytes.write(first, second, third, fourth, count: count, to: destination)
  }

  #if WINDOW_QUADS
    @inline(__always)
    func result(_ sums: SumVector) -> SumVector { scaled(sums) }

    @inline(__always)
    static func write(
      _ results: QuadSums, _ range: QuantizedRange, to output: UnsafeMutableRawPointer
    ) {
      store(
        ByteRange(range).narrowInSegments(results.v0, results.v1, results.v2, results.v3),
        to: output)
    }
  #endif

  /// Returns the scaled sums in the form that `ByteRange` narrows.
  @inline(__always)
  func scaled(_ sums: SumVector) -> SumVector { scale.narrowable(sums, range) }
}

/// The epilogue that stores the sums themselves.
struct PlainWriter: SumWriter {
  @inline(__always)
  init(_: UnsafeRawPointer, _: QuantizedRange) {}

  #if WINDOW_QUADS
    @inline(__always)
    func result(_ sums: SumVector) -> SumVector { sums }
  #endif

  @inline(__always)
  static var outputBytes: Int { 4 }

  @inline(__always)
  func write(
    _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector, count: Int,
    to destination: ResultDestination
  ) {
    writeLanes(a, row: 0, to: destination)
    if count > 1 { writeLanes(b, row: 1, to: destination) }
    if count > 2 { writeLanes(c, row: 2, to: destination) }
    if count > 2 { writeLanes(d, row: 3, to: destination) }
  }
}

extension SumWriter {
  #if WINDOW_QUADS
    /// Writes results of four bytes each, in the order of the channels.
    @inline(__always)
    static func write(_ results: QuadSums, _: Scaling, to output: UnsafeMutableRawPointer) {
      let rows = transposedQuarters(results.v0, results.v1, results.v2, results.v3)
      store(rows.0, to: output)
      store(rows.1, to: output + sumVectorBytes)
      store(rows.2, to: output + 2 &* sumVectorBytes)
      store(rows.3, to: output + 3 &* sumVectorBytes)
    }
  #endif

  /// Writes one vector of 32-bit results.
  @inline(__always)
  func writeLanes(_ lanes: SumVector, row: Int, to destination: ResultDestination) {
    if destination.width >= SumVector.scalarCount {
      store(lanes, to: destination.address(row))
    } else {
      store(lanes, to: destination.scratch)
      copyEnd(destination.scratch, to: destination.address(row), count: destination.width &* 4)
    }
  }
}
