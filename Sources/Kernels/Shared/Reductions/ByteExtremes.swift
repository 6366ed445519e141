import OcellusKernelABI

// Extremes of bytes: a vector of bytes at a time. Bytes with a sign, and those of which the lowest is
// wanted, are turned over so that it is always the greatest without a sign.

/// The greatest or the lowest bytes, as `UInt8`.
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
      extremes.ofFewRows()
    }
  } else {
    extremes.ofRuns()
  }
}

/// Rows that are narrower than a vector: as many as fill some vectors without a rest, in which every column
/// is at the same places again.
struct RowPeriod {
  let rows: Int
  let vectors: Int

  @inline(__always)
  init(innerCount: Int) {
    // The greatest power of two that divides the length of a row; narrow rows are shorter than a vector.
    let common = innerCount & (0 &- innerCount)
    rows = sumVectorBytes / common
    vectors = innerCount / common
  }
}

struct ByteExtremes {
  private let arguments: ReductionArguments
  /// What turns bytes over, and back.
  private let flip: UInt8
  /// What the search starts from, turned over.
  private var first: UInt8

  @inline(__always)
  init(_ arguments: ReductionArguments, isSigned: Bool, isMinimum: Bool, from first: UInt8) {
    self.arguments = arguments
    self.first = first
    flip = (isSigned ? 0x80 : 0) ^ (isMinimum ? 0xFF : 0)
  }

  @inline(__always)
  init(_ arguments: ReductionArguments, isSigned: Bool, isMinimum: Bool) {
    self.init(arguments, isSigned: isSigned, isMinimum: isMinimum, from: 0)
    first = UInt8(truncatingIfNeeded: Int32(arguments.initial)) ^ flip
  }

  private var flips: SumVector { everyByte(flip) }

  /// The greatest of each place in some vectors, turned over.
  @inline(__always)
  private func greatest(_ bytes: UnsafeRawPointer, count: Int, apart stride: Int) -> SumVector {
    let flips = flips
    var (even, odd) = (everyByte(first), everyByte(first))
    var index = 0
    while index &+ 2 <= count {
      even = maximumOfBytes(even, loadSums(bytes + index &* stride) ^ flips, isSigned: false)
      odd = maximumOfBytes(
        odd, loadSums(bytes + (index &+ 1) &* stride) ^ flips, isSigned: false)
      index &+= 2
    }
    if index < count {
      even = maximumOfBytes(even, loadSums(bytes + index &* stride) ^ flips, isSigned: false)
    }
    return maximumOfBytes(even, odd, isSigned: false)
  }

  /// Rows of at least one vector; the last vector of a row overlaps the one before.
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
        store(found ^ flips, to: arguments.output + (outer &* innerCount &+ inner))
        column &+= sumVectorBytes
      }
    }
  }

  /// Narrow rows: each vector of a period with its counterparts in the others.
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
      func take(_ byte: UInt8) {
        output[column] = byte > output[column] ? byte : output[column]
        column = column &+ 1 == innerCount ? 0 : column &+ 1
      }
      for vector in 0..<period.vectors {
        found = greatest(
          input + vector &* sumVectorBytes, count: periodCount,
          apart: period.vectors &* sumVectorBytes)
        withUnsafeBytes(of: &found) { bytes in
          let start = bytes.baseAddress.unsafelyUnwrapped
          for place in 0..<sumVectorBytes { take(loadByte(start + place)) }
        }
      }
      let rest = periodCount &* period.rows &* innerCount
      for place in rest..<arguments.reducedCount &* innerCount {
        take(loadByte(input + place) ^ flip)
      }
      for column in 0..<innerCount { output[column] ^= flip }
    }
  }

  /// Rows too few for a period: a byte to a lane.
  @inline(__always)
  func ofFewRows() {
    let flips = SumVector(repeating: Int32(flip))
    foldVectors(
      arguments, elementBytes: 1, resultBytes: 1, initial: SumVector(repeating: Int32(first)),
      add: { maximum(bytesToLanes($1, isSigned: false) ^ flips, $0) },
      finish: { storeBytes($0 ^ flips, to: $1) })
  }

  /// Neighbouring bytes that make one result.
  @inline(__always)
  func ofRuns() {
    forEachRun(arguments, elementBytes: 1) { run, index in
      store(greatestOfRun(run) ^ flip, to: arguments.output + index)
    }
  }

  /// The places of the greatest of neighbouring bytes, the first of each run, as `Int32`.
  @inline(__always)
  func placesOfRuns() {
    forEachRun(arguments, elementBytes: 1) { run, index in
      let byte = greatestOfRun(run) ^ flip
      var place = 0
      while place &+ sumVectorBytes <= arguments.reducedCount
        && !hasZeroByte(loadSums(run + place) ^ everyByte(byte))
      { place &+= sumVectorBytes }
      while loadByte(run + place) != byte { place &+= 1 }
      store(Int32(truncatingIfNeeded: place), to: arguments.output + index &* 4)
    }
  }

  /// The greatest byte of a run, turned over.
  @inline(__always)
  private func greatestOfRun(_ run: UnsafeRawPointer) -> UInt8 {
    let count = arguments.reducedCount
    guard count >= sumVectorBytes else {
      var best = first
      for position in 0..<count {
        let byte = loadByte(run + position) ^ flip
        best = byte > best ? byte : best
      }
      return best
    }
    let last = loadSums(run + (count &- sumVectorBytes)) ^ flips
    let others = greatest(run, count: (count &- 1) / sumVectorBytes, apart: sumVectorBytes)
    return greatestByte(maximumOfBytes(others, last, isSigned: false))
  }
}

/// The greatest byte of a vector, without signs.
@inline(__always)
private func greatestByte(_ x: SumVector) -> UInt8 {
  // What a shift brings in on the left does not get to the last byte of a lane.
  let halves = maximumOfBytes(x, x &>> 16, isSigned: false)
  let bytes = maximumOfBytes(halves, halves &>> 8, isSigned: false)
  return UInt8(truncatingIfNeeded: largestLane(bytes & SumVector(repeating: 0xFF)))
}

/// Only below a byte of zero does one less borrow from a highest bit that was not set.
@inline(__always)
private func hasZeroByte(_ x: SumVector) -> Bool {
  let zeros = (x &- everyByte(1)) & ~x & everyByte(0x80)
  return hasNegativeLane(zeros | (SumVector() &- zeros))
}
