import OcellusKernelABI

// Sums of bytes, four per lane: even and odd bytes are added in 16 bits, which hold 256 of them.

/// Adds bytes to 32-bit sums.
@inline(__always)
func sumBytes(_ arguments: ReductionArguments, isSigned: Bool) {
  if arguments.innerCount >= sumVectorBytes {
    sumByteColumns(arguments, isSigned: isSigned)
  } else if arguments.innerCount > 1 {
    let period = RowPeriod(innerCount: arguments.innerCount)
    if arguments.reducedCount >= 2 &* period.rows {
      return sumPeriods(arguments, period, isSigned: isSigned)
    }
    foldVectors(
      arguments, elementBytes: 1, initial: SumVector(),
      add: { $0 &+ bytesToLanes($1, isSigned: isSigned) }, finish: { store($0, to: $1) })
  } else {
    sumRuns(arguments, isSigned: isSigned)
  }
}

/// Adds the bytes of each run; with `TRANSPOSED_OPERANDS`, four runs at a time to reduce their
/// vectors together.
@inline(__always)
private func sumRuns(_ arguments: ReductionArguments, isSigned: Bool) {
  let (count, stride) = (arguments.reducedCount, arguments.outerStride)
  var index = arguments.outer.lowerBound
  #if TRANSPOSED_OPERANDS
    while index &+ 4 <= arguments.outer.upperBound {
      let run = arguments.input + index &* stride
      let sums = sumsOfBytes(
        run, run + stride, run + 2 &* stride, run + 3 &* stride, count: count, isSigned: isSigned)
      storeInt32s(sums, to: arguments.output + index &* 4)
      index &+= 4
    }
  #endif
  while index < arguments.outer.upperBound {
    let sum = sumOfRun(arguments.input + index &* stride, count: count, isSigned: isSigned)
    store(sum, to: arguments.output + index &* 4)
    index &+= 1
  }
}

/// Adds bytes by dot products with ones, and the last few bytes one by one.
@inline(__always)
private func sumOfRun(_ run: UnsafeRawPointer, count: Int, isSigned: Bool) -> Int32 {
  let ones = SumVector(repeating: 0x0101_0101)
  // Unsigned bytes are added as signed ones, which are 128 lower.
  let signToggle = SumVector(repeating: isSigned ? 0 : Int32(bitPattern: 0x8080_8080))
  @inline(__always)
  func add(_ sums: SumVector, _ position: Int) -> SumVector {
    dotNibbles(sums, ones, loadSums(run + position) ^ signToggle)
  }
  var sums = SumVector()
  var position = 0
  if count >= 4 &* sumVectorBytes {
    // Four accumulators are independent of each other.
    var (second, third, fourth) = (sums, sums, sums)
    while position &+ 4 &* sumVectorBytes <= count {
      sums = add(sums, position)
      second = add(second, position &+ sumVectorBytes)
      third = add(third, position &+ 2 &* sumVectorBytes)
      fourth = add(fourth, position &+ 3 &* sumVectorBytes)
      position &+= 4 &* sumVectorBytes
    }
    sums = (sums &+ second) &+ (third &+ fourth)
  }
  while position &+ sumVectorBytes <= count {
    sums = add(sums, position)
    position &+= sumVectorBytes
  }
  let lowered = isSigned ? 0 : position
  while position &+ SumVector.scalarCount <= count {
    sums = sums &+ bytesToLanes(run + position, isSigned: isSigned)
    position &+= SumVector.scalarCount
  }
  var sum = sumOfLanes(sums) &+ 128 &* Int32(truncatingIfNeeded: lowered)
  while position < count {
    sum = sum &+ loadByte(run + position, isSigned: isSigned)
    position &+= 1
  }
  return sum
}

/// Adds rows of at least one vector of bytes; the last vector of a row overlaps the one before.
@inline(__always)
private func sumByteColumns(_ arguments: ReductionArguments, isSigned: Bool) {
  let innerCount = arguments.innerCount
  for outer in arguments.outer {
    let input = arguments.input + outer &* arguments.outerStride
    let output = arguments.output + outer &* innerCount &* 4
    var column = 0
    while column < innerCount {
      let inner = smaller(column, innerCount &- sumVectorBytes)
      let columns = ByteColumns(
        input + inner, count: arguments.reducedCount, apart: innerCount, isSigned: isSigned)
      columns.store(to: output + inner &* 4)
      column &+= sumVectorBytes
    }
  }
}

/// Adds rows shorter than a vector: each vector of a period with its counterparts in other periods.
@inline(__always)
private func sumPeriods(_ arguments: ReductionArguments, _ period: RowPeriod, isSigned: Bool) {
  let innerCount = arguments.innerCount
  let periodCount = arguments.reducedCount / period.rows
  var vectors = (SumVector(), SumVector(), SumVector(), SumVector())
  for outer in arguments.outer {
    let input = arguments.input + outer &* arguments.outerStride
    let output = (arguments.output + outer &* innerCount &* 4).assumingMemoryBound(to: Int32.self)
    for column in 0..<innerCount { output[column] = 0 }
    var column = 0
    for vector in 0..<period.vectors {
      let sums = ByteColumns(
        input + vector &* sumVectorBytes, count: periodCount,
        apart: period.vectors &* sumVectorBytes, isSigned: isSigned)
      withUnsafeMutableBytes(of: &vectors) { bytes in
        let stored = bytes.baseAddress.unsafelyUnwrapped
        sums.store(to: stored)
        for index in 0..<sumVectorBytes {
          output[column] = output[column] &+ loadInt32(UnsafeRawPointer(stored) + index &* 4)
          column = column &+ 1 == innerCount ? 0 : column &+ 1
        }
      }
    }
    for row in periodCount &* period.rows..<arguments.reducedCount {
      for column in 0..<innerCount {
        let byte = loadByte(input + (row &* innerCount &+ column), isSigned: isSigned)
        output[column] = output[column] &+ byte
      }
    }
  }
}

/// The sums of the first, second, third and fourth byte of every lane of some vectors.
private struct ByteColumns {
  var first = SumVector()
  var second = SumVector()
  var third = SumVector()
  var fourth = SumVector()

  @inline(__always)
  init(_ bytes: UnsafeRawPointer, count: Int, apart stride: Int, isSigned: Bool) {
    // Signed bytes are added as unsigned ones, which are 128 higher.
    let signToggle = SumVector(repeating: isSigned ? Int32(bitPattern: 0x8080_8080) : 0)
    let halves = SumVector(repeating: 0x00FF_00FF)
    var index = 0
    while index < count {
      let end = smaller(index &+ 256, count)
      var even = SumVector(), odd = SumVector()
      while index < end {
        let vector = loadSums(bytes + index &* stride) ^ signToggle
        even = even &+ (vector & halves)
        odd = odd &+ ((vector &>> 8) & halves)
        index &+= 1
      }
      let low = SumVector(repeating: 0xFFFF)
      first = first &+ (even & low)
      second = second &+ (odd & low)
      third = third &+ ((even &>> 16) & low)
      fourth = fourth &+ ((odd &>> 16) & low)
    }
    guard isSigned else { return }
    let excess = SumVector(repeating: Int32(truncatingIfNeeded: 128 &* count))
    first = first &- excess
    second = second &- excess
    third = third &- excess
    fourth = fourth &- excess
  }

  /// Stores the sums in the order of the bytes.
  @inline(__always)
  func store(to output: UnsafeMutableRawPointer) {
    // Each 16-byte segment then has the four sums of one lane.
    let lanes = transposedSegments(first, second, third, fourth)
    for index in 0..<segmentCount {
      let target = output + index &* 64
      storeInt32s(segment(lanes.0, index), to: target)
      storeInt32s(segment(lanes.1, index), to: target + 16)
      storeInt32s(segment(lanes.2, index), to: target + 32)
      storeInt32s(segment(lanes.3, index), to: target + 48)
    }
  }
}
