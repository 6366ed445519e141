import OcellusKernelABI

// Maxima and minima of bytes, a vector of bytes at a time. An XOR of all bytes maps the order to
// that of unsigned bytes and the wanted extreme to the maximum.

/// Finds maxima or minima of bytes.
@inline(__always)
func findExtremes(_ arguments: ReductionArguments, isSigned: Bool, isMinimum: Bool) {
  let extremes = ByteExtremes(arguments, isSigned: isSigned, isMinimum: isMinimum)
  if arguments.innerCount >= sumVectorBytes {
    extremes.ofColumns()
  } else if arguments.innerCount > 1 {
    let period = RowPeriod(innerCount: arguments.innerCount)
    if arguments.reducedCount >= 2 &* period.rows {
      extremes.ofPeriods(period)
    } else {
      extremes.ofLanes()
    }
  } else {
    extremes.ofRuns()
  }
}

/// The period of rows that are shorter than a vector.
///
/// It is the smallest number of rows that fills a whole number of vectors.
struct RowPeriod {
  let rows: Int
  let vectors: Int

  @inline(__always)
  init(innerCount: Int) {
    // The greatest power of two that divides the row length, which is less than a vector.
    let common = innerCount & (0 &- innerCount)
    rows = sumVectorBytes / common
    vectors = innerCount / common
  }
}

struct ByteExtremes {
  private let arguments: ReductionArguments
  /// The XOR mask that maps bytes to the unsigned order for maxima, and back.
  private let signToggle: UInt8
  /// The start value of the search, after the mapping.
  private var first: UInt8

  @inline(__always)
  init(_ arguments: ReductionArguments, isSigned: Bool, isMinimum: Bool, from first: UInt8) {
    self.arguments = arguments
    self.first = first
    signToggle = (isSigned ? 0x80 : 0) ^ (isMinimum ? 0xFF : 0)
  }

  @inline(__always)
  init(_ arguments: ReductionArguments, isSigned: Bool, isMinimum: Bool) {
    self.init(arguments, isSigned: isSigned, isMinimum: isMinimum, from: 0)
    first = UInt8(truncatingIfNeeded: Int32(arguments.initial)) ^ signToggle
  }

  private var signToggles: SumVector { everyByte(signToggle) }

  /// Returns the maximum at each position of some vectors, mapped.
  @inline(__always)
  private func greatest(_ bytes: UnsafeRawPointer, count: Int, apart stride: Int) -> SumVector {
    let signToggles = signToggles
    var (even, odd) = (everyByte(first), everyByte(first))
    var index = 0
    while index &+ 2 <= count {
      even = maximumOfBytes(even, loadSums(bytes + index &* stride) ^ signToggles, isSigned: false)
      odd = maximumOfBytes(
        odd, loadSums(bytes + (index &+ 1) &* stride) ^ signToggles, isSigned: false)
      index &+= 2
    }
    if index < count {
      even = maximumOfBytes(even, loadSums(bytes + index &* stride) ^ signToggles, isSigned: false)
    }
    return maximumOfBytes(even, odd, isSigned: false)
  }

  /// Reduces rows of at least one vector; the last vector of a row overlaps the one before.
  @inline(__always)
  func ofColumns() {
    let innerCount = arguments.innerCount
    for outer in arguments.outer {
      var column = 0
      while column < innerCount {
        let inner = smaller(column, innerCount &- sumVectorBytes)
        let found = greatest(
          arguments.input + (outer &* arguments.outerStride &+ inner),
          count: arguments.reducedCount, apart: innerCount)
        store(found ^ signToggles, to: arguments.output + (outer &* innerCount &+ inner))
        column &+= sumVectorBytes
      }
    }
  }

  /// Reduces shorter rows: each vector of a period with its counterparts in other periods.
  @inline(__always)
  func ofPeriods(_ period: RowPeriod) {
    let innerCount = arguments.innerCount
    let periodCount = arguments.reducedCount / period.rows
    var found = SumVector()
    for outer in arguments.outer {
      let input = arguments.input + outer &* arguments.outerStride
      let output = (arguments.output + outer &* innerCount).assumingMemoryBound(to: UInt8.self)
      for column in 0..<innerCount { output[column] = first }
      var column = 0
      @inline(__always)
      func combine(_ byte: UInt8) {
        output[column] = byte > output[column] ? byte : output[column]
        column = column &+ 1 == innerCount ? 0 : column &+ 1
      }
      for vector in 0..<period.vectors {
        found = greatest(
          input + vector &* sumVectorBytes, count: periodCount,
          apart: period.vectors &* sumVectorBytes)
        withUnsafeBytes(of: &found) { bytes in
          let start = bytes.baseAddress.unsafelyUnwrapped
          for offset in 0..<sumVectorBytes { combine(loadByte(start + offset)) }
        }
      }
      let rest = periodCount &* period.rows &* innerCount
      for offset in rest..<arguments.reducedCount &* innerCount {
        combine(loadByte(input + offset) ^ signToggle)
      }
      for column in 0..<innerCount { output[column] ^= signToggle }
    }
  }

  /// Reduces rows that are too few for a period, one byte per lane.
  @inline(__always)
  func ofLanes() {
    let signToggles = SumVector(repeating: Int32(signToggle))
    foldVectors(
      arguments, elementBytes: 1, resultBytes: 1, initial: SumVector(repeating: Int32(first)),
      add: { maximum(bytesToLanes($1, isSigned: false) ^ signToggles, $0) },
      finish: { storeBytes($0 ^ signToggles, to: $1) })
  }

  /// Reduces contiguous bytes to one result.
  @inline(__always)
  func ofRuns() {
    forEachRun(arguments, elementBytes: 1) { run, index in
      store(greatestOfRun(run) ^ signToggle, to: arguments.output + index)
    }
  }

  /// Finds the first index of the maximum in contiguous bytes, as `Int32`.
  @inline(__always)
  func indicesOfRuns() {
    forEachRun(arguments, elementBytes: 1) { run, index in
      let byte = greatestOfRun(run) ^ signToggle
      var offset = 0
      while offset &+ sumVectorBytes <= arguments.reducedCount
        && !hasZeroByte(loadSums(run + offset) ^ everyByte(byte))
      { offset &+= sumVectorBytes }
      while loadByte(run + offset) != byte { offset &+= 1 }
      store(Int32(truncatingIfNeeded: offset), to: arguments.output + index &* 4)
    }
  }

  /// Returns the maximum of a run, mapped.
  @inline(__always)
  private func greatestOfRun(_ run: UnsafeRawPointer) -> UInt8 {
    let count = arguments.reducedCount
    guard count >= sumVectorBytes else {
      var best = first
      for position in 0..<count {
        let byte = loadByte(run + position) ^ signToggle
        best = byte > best ? byte : best
      }
      return best
    }
    let last = loadSums(run + (count &- sumVectorBytes)) ^ signToggles
    let others = greatest(run, count: (count &- 1) / sumVectorBytes, apart: sumVectorBytes)
    return greatestByte(maximumOfBytes(others, last, isSigned: false))
  }
}

/// Returns the greatest unsigned byte of a vector.
@inline(__always)
private func greatestByte(_ x: SumVector) -> UInt8 {
  // The bits that a shift fills in on the left do not reach the last byte of a lane.
  let halves = maximumOfBytes(x, x &>> 16, isSigned: false)
  let bytes = maximumOfBytes(halves, halves &>> 8, isSigned: false)
  return UInt8(truncatingIfNeeded: largestLane(bytes & SumVector(repeating: 0xFF)))
}

/// Whether a byte is zero: only then does subtracting one set a highest bit that was clear.
@inline(__always)
private func hasZeroByte(_ x: SumVector) -> Bool {
  let zeros = (x &- everyByte(1)) & ~x & everyByte(0x80)
  return hasNegativeLane(zeros | (SumVector() &- zeros))
}
