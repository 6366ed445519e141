import OcellusKernelABI

/// Computes the softmax of rows of bytes in the official fixed-point arithmetic.
///
/// Exponentials come from a table, and are divided by the sum over their row.
func softmaxOfBytes(_ arguments: ByteSoftmaxArguments) {
  let count = arguments.rowLength
  let atOnce = smaller(
    ByteSoftmaxArguments.rowsPerCall(ofLength: count), SumVector.scalarCount)
  let sums = arguments.scratch, reciprocals = sums + 64, exponentials = reciprocals + 64
  let range = byteRange(isSigned: arguments.isSigned)
  var row = softmaxOfShortRows(arguments)
  while row < arguments.rowCount {
    let rows = smaller(atOnce, arguments.rowCount &- row)
    for index in 0..<rows {
      let address = exponentials + index &* count &* 4
      raise(arguments.input + (row &+ index) &* count, arguments, to: address)
      let sum = sumOfExponentials(address, count: count)
      store(sum, to: sums + index &* 4)
      store(sum &<< leadingZeros(sum), to: reciprocals + index &* 4)
    }
    store(reciprocalsOfNormalized(loadSums(reciprocals)), to: reciprocals)
    for index in 0..<rows {
      let result = FixedPointResult(
        multiplier: loadInt32(reciprocals + index &* 4),
        exponent: 0 &- resultShift(ofSum: loadInt32(sums + index &* 4)), range: range,
        isBounded: false)
      scale(
        exponentials + index &* count &* 4, to: arguments.output + (row &+ index) &* count,
        count: count, result)
    }
    row &+= rows
  }
}

/// Looks up the exponentials of a row.
@inline(__always)
private func raise(
  _ row: UnsafeRawPointer, _ arguments: ByteSoftmaxArguments, to target: UnsafeMutableRawPointer
) {
  let count = arguments.rowLength
  let signToggle = Int(arguments.isSigned ? 0x80 : 0)
  // The table is indexed by the distance from the greatest byte.
  let top =
    UnsafeRawPointer(arguments.exponentials)
    + greatestByte(row, count: count, isSigned: arguments.isSigned) &* 4
  for index in 0..<count {
    let byte = Int(loadByte(row + index)) ^ signToggle
    store(loadInt32(top - byte &* 4), to: target + index &* 4)
  }
}

@inline(__always)
private func leadingZeros(_ x: Int32) -> Int32 {
  Int32(truncatingIfNeeded: x.leadingZeroBitCount)
}

/// Returns the right shift of products with the reciprocal of a sum.
@inline(__always)
private func resultShift(ofSum sum: Int32) -> Int32 {
  // The sum has 12 integer bits, and results have 8 fractional bits.
  let shift = 12 &- leadingZeros(sum) &+ 23
  return shift < 0 ? 0 : shift > 31 ? 31 : shift
}

/// Returns the range of all bytes, with the lowest as the zero point.
@inline(__always)
private func byteRange(isSigned: Bool) -> QuantizedRange {
  let lowest: Int32 = isSigned ? -128 : 0
  return QuantizedRange(zeroPoint: lowest, minimum: lowest, maximum: lowest &+ 255)
}

/// Returns reciprocals of numbers whose highest bit is 1 and that have no integer bits.
///
/// It uses Newton's iteration for half of the divisor, with two integer bits.
@inline(__always)
private func reciprocalsOfNormalized(_ normalized: SumVector) -> SumVector {
  // The bits after the leading one are the distance from 1.
  let half =
    shiftRight(normalized & SumVector(repeating: .max), SumVector(repeating: 1))
    &+ SumVector(repeating: 1 << 30)
  let byHalf = highProduct(by: half)
  var x = SumVector(repeating: 1_515_870_810) &+ byHalf(SumVector(repeating: -1_010_580_540))
  for _ in 0..<3 {
    let error = SumVector(repeating: 1 << 29) &- byHalf(x)
    x = x &+ shiftLeft(highProduct(by: x)(error), SumVector(repeating: 2))
  }
  // Undoing the halving and the integer bits are one shift; a result of one saturates.
  let isOne = SumVector() &- shiftRight(x, SumVector(repeating: 30))
  return (shiftLeft(x, SumVector(repeating: 1)) & ~isOne) | (SumVector(repeating: .max) & isOne)
}

/// Returns a function for the doubling high multiplication by nonnegative numbers.
@inline(__always)
private func highProduct(by factor: SumVector) -> FixedPointScale {
  let zero = SumVector()
  return FixedPointScale(
    multiplier: factor, leftShift: zero, rightShift: zero, lastShift: zero, zeroPoint: zero)
}

/// Returns the greatest byte of a row as an unsigned byte, which is 128 higher for signed bytes.
@inline(__always)
private func greatestByte(_ row: UnsafeRawPointer, count: Int, isSigned: Bool) -> Int {
  let signToggle = SumVector(repeating: isSigned ? Int32(bitPattern: 0x8080_8080) : 0)
  guard count >= sumVectorBytes else {
    var greatest: UInt8 = 0
    for index in 0..<count {
      let byte = loadByte(row + index) ^ (isSigned ? 0x80 : 0)
      greatest = byte > greatest ? byte : greatest
    }
    return Int(greatest)
  }
  let last = count &- sumVectorBytes
  var greatest = loadSums(row + last) ^ signToggle
  var index = 0
  while index < last {
    greatest = maximumOfBytes(greatest, loadSums(row + index) ^ signToggle, isSigned: false)
    index &+= sumVectorBytes
  }
  let halves = maximumOfBytes(greatest, greatest &>> 16, isSigned: false)
  let bytes = maximumOfBytes(halves, halves &>> 8, isSigned: false)
  return Int(largestLane(bytes & SumVector(repeating: 0xFF)))
}

/// Returns the wrapping sum of exponentials, each first rounded to a multiple of 1/4096.
@inline(__always)
private func sumOfExponentials(_ exponentials: UnsafeRawPointer, count: Int) -> Int32 {
  let lanes = SumVector.scalarCount, one = SumVector(repeating: 1)
  var sums = SumVector()
  var index = 0
  while index &+ lanes <= count {
    let numbers = loadSums(exponentials + index &* 4)
    sums = sums &+ (numbers &>> 12) &+ ((numbers &>> 11) & one)
    index &+= lanes
  }
  var sum = sumOfLanes(sums)
  while index < count {
    let number = loadInt32(exponentials + index &* 4)
    sum = sum &+ (number &>> 12) &+ ((number &>> 11) & 1)
    index &+= 1
  }
  return sum
}

@inline(__always)
private func scale(
  _ exponentials: UnsafeRawPointer, to output: UnsafeMutableRawPointer, count: Int,
  _ result: FixedPointResult
) {
  let lanes = SumVector.scalarCount
  let scale = ResultScale<FixedPointScale>(result)
  guard count >= 4 &* lanes else {
    let row = ElementRow(input: exponentials, output: output, count: count)
    return mapRow(row, inputBytes: 4, outputBytes: 1) { input in
      scale(loadSums(input))
    } store: { lanes, output in
      storeBytes(lanes, to: output)
    }
  }
  let bytes = ByteRange(result.range)
  let offset = result.range.narrowingOffset
  mapElements(count: count, lanes: 4 &* lanes) { index in
    let input = exponentials + index &* 4
    return bytes.narrow(
      scale.scaled(loadSums(input), offset: offset),
      scale.scaled(loadSums(input + sumVectorBytes), offset: offset),
      scale.scaled(loadSums(input + 2 &* sumVectorBytes), offset: offset),
      scale.scaled(loadSums(input + 3 &* sumVectorBytes), offset: offset))
  } store: { results, index in
    store(results, to: output + index)
  }
}

// In rows as short as the sixteen values for a side of a box (YOLO), most of the time goes into the
// work per row. Here sixteen rows are transposed, and each lane belongs to a row.

/// Computes short rows, sixteen at a time.
///
/// - Returns: the number of rows computed; zero for long rows.
@inline(__always)
private func softmaxOfShortRows(_ arguments: ByteSoftmaxArguments) -> Int {
  let count = arguments.rowLength
  guard count >= 4 && count <= ByteSoftmaxArguments.maximumShortRowLength else { return 0 }
  let columns = ShortByteRows(arguments)
  var row = 0
  while row &+ 16 <= arguments.rowCount {
    let input = arguments.input + row &* count
    columns.raise(input)
    columns.sum()
    columns.scale(to: arguments.output + row &* count)
    row &+= 16
  }
  return row
}

/// Sixteen short rows, transposed.
private struct ShortByteRows {
  private let count: Int
  private let isSigned: Bool
  private let table: UnsafePointer<Int32>
  /// By row: the reciprocal of the sum, and the right shift of products with it.
  private let reciprocals, shifts: UnsafeMutableRawPointer
  /// By column and then row: the exponentials; and bytes, which are first elements, then their
  /// distances from the maximum, then results.
  private let exponentials, bytes: UnsafeMutableRawPointer

  /// The number of vectors with one number for each row.
  @inline(__always)
  private var groups: Int { 16 / SumVector.scalarCount }

  @inline(__always)
  init(_ arguments: ByteSoftmaxArguments) {
    count = arguments.rowLength
    isSigned = arguments.isSigned
    table = arguments.exponentials
    reciprocals = arguments.scratch
    shifts = reciprocals + 64
    exponentials = shifts + 64
    bytes = exponentials + 64 &* roundUp(count, to: 4)
  }

  /// Looks up exponentials.
  @inline(__always)
  func raise(_ rows: UnsafeRawPointer) {
    transpose1(
      CopyArguments(
        source: rows, target: bytes, rowCount: 16, columnCount: count, sourceStride: count,
        targetStride: 16))
    let greatest = greatestOfRows
    var offset = 0
    while offset < 16 &* count {
      // No byte exceeds the maximum, so none borrows from its neighbour.
      store(greatest &- signToggled(offset), to: bytes + offset)
      offset &+= sumVectorBytes
    }
    for index in 0..<16 &* count {
      store(table[Int(loadByte(bytes + index))], to: exponentials + index &* 4)
    }
  }

  /// Loads bytes and makes signed ones unsigned.
  @inline(__always)
  private func signToggled(_ offset: Int) -> SumVector {
    loadSums(bytes + offset) ^ SumVector(repeating: isSigned ? Int32(bitPattern: 0x8080_8080) : 0)
  }

  /// The greatest byte of every row, repeated in each 16-byte segment.
  @inline(__always)
  private var greatestOfRows: SumVector {
    let last = 16 &* count &- sumVectorBytes
    var greatest = signToggled(last)
    var offset = 0
    while offset < last {
      greatest = maximumOfBytes(greatest, signToggled(offset), isSigned: false)
      offset &+= sumVectorBytes
    }
    // Rotates the 16-byte segments.
    store(greatest, to: exponentials)
    store(greatest, to: exponentials + sumVectorBytes)
    for segment in 1..<sumVectorBytes / 16 {
      let rotated = loadSums(exponentials + segment &* 16)
      greatest = maximumOfBytes(greatest, rotated, isSigned: false)
    }
    return greatest
  }

  /// Adds exponentials, and computes the reciprocals of the sums.
  @inline(__always)
  func sum() {
    for group in 0..<groups {
      let offset = group &* sumVectorBytes
      let one = SumVector(repeating: 1)
      var sums = SumVector()
      for column in 0..<count {
        let numbers = loadSums(exponentials + (column &* 64 &+ offset))
        sums = sums &+ (numbers &>> 12) &+ ((numbers &>> 11) & one)
      }
      store(sums, to: reciprocals + offset)
    }
    for row in 0..<16 {
      let sum = loadInt32(reciprocals + row &* 4)
      store(sum &<< leadingZeros(sum), to: reciprocals + row &* 4)
      store(resultShift(ofSum: sum), to: shifts + row &* 4)
    }
    for group in 0..<groups {
      let address = reciprocals + group &* sumVectorBytes
      store(reciprocalsOfNormalized(loadSums(address)), to: address)
    }
  }

  /// Multiplies exponentials by the reciprocals.
  @inline(__always)
  func scale(to rows: UnsafeMutableRawPointer) {
    let range = ByteRange(byteRange(isSigned: isSigned))
    let scales = (scale(0), scale(1), scale(2), scale(3))
    for quad in 0..<roundUp(count, to: 4) &* 4 / SumVector.scalarCount {
      let address = exponentials + quad &* 4 &* sumVectorBytes
      let results = range.narrow(
        scales.0(loadSums(address)), scales.1(loadSums(address + sumVectorBytes)),
        scales.2(loadSums(address + 2 &* sumVectorBytes)),
        scales.3(loadSums(address + 3 &* sumVectorBytes)))
      store(results, to: bytes + quad &* sumVectorBytes)
    }
    transpose1(
      CopyArguments(
        source: bytes, target: rows, rowCount: count, columnCount: 16, sourceStride: 16,
        targetStride: count))
  }

  /// Returns the scaling of one of four consecutive vectors.
  @inline(__always)
  private func scale(_ vector: Int) -> FixedPointScale {
    let offset = vector % groups &* sumVectorBytes
    let shift = loadSums(shifts + offset), one = SumVector(repeating: 1)
    let lastShift = minimum(shift, one)
    return FixedPointScale(
      multiplier: loadSums(reciprocals + offset), leftShift: SumVector(),
      rightShift: shift &- lastShift, lastShift: lastShift,
      // The narrowing is to signed bytes.
      zeroPoint: SumVector(repeating: -128))
  }
}
