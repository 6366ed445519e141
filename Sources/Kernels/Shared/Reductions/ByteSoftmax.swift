import OcellusKernelABI

/// The softmax of rows of bytes: every exponential is taken from a table, and divided by the sum of
/// its row's in the official fixed-point arithmetic.
func softmaxOfBytes(_ arguments: ByteSoftmaxArguments) {
  let count = arguments.rowLength
  let atOnce = smaller(
    ByteSoftmaxArguments.rowsAtOnce(ofLength: count), SumVector.scalarCount)
  let sums = arguments.scratch, reciprocals = sums + 64, exponentials = reciprocals + 64
  let lowest: Int32 = arguments.isSigned ? -128 : 0
  var row = 0
  while row < arguments.rowCount {
    let rows = smaller(atOnce, arguments.rowCount &- row)
    for index in 0..<rows {
      let place = exponentials + index &* count &* 4
      raise(arguments.input + (row &+ index) &* count, arguments, to: place)
      let sum = sumOfExponentials(place, count: count)
      store(sum, to: sums + index &* 4)
      store(sum &<< leadingZeros(sum), to: reciprocals + index &* 4)
    }
    store(reciprocalsOfNormalized(loadSums(reciprocals)), to: reciprocals)
    for index in 0..<rows {
      // The sum has 12 bits in front of the point, and results have 8 behind it.
      let exponent = 12 &- leadingZeros(loadInt32(sums + index &* 4)) &+ 23
      let result = FixedPointResult(
        multiplier: loadInt32(reciprocals + index &* 4), exponent: 0 &- clampShift(exponent),
        range: QuantizedRange(zeroPoint: lowest, minimum: lowest, maximum: lowest &+ 255),
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
  let flip = Int(arguments.isSigned ? 0x80 : 0)
  // The table counts down from the greatest byte.
  let top =
    UnsafeRawPointer(arguments.exponentials)
    + greatestByte(row, count: count, isSigned: arguments.isSigned) &* 4
  for index in 0..<count {
    let byte = Int(loadByte(row + index)) ^ flip
    store(loadInt32(top - byte &* 4), to: target + index &* 4)
  }
}

@inline(__always)
private func leadingZeros(_ x: Int32) -> Int32 {
  Int32(truncatingIfNeeded: x.leadingZeroBitCount)
}

@inline(__always)
private func clampShift(_ shift: Int32) -> Int32 { shift < 0 ? 0 : shift > 31 ? 31 : shift }

/// One divided by numbers whose highest bit is 1, without bits in front of the point: Newton's
/// iteration for half of the divisor, with two bits there.
@inline(__always)
private func reciprocalsOfNormalized(_ normalized: SumVector) -> SumVector {
  // The bits behind the leading one are the distance from 1.
  let half =
    shiftRight(normalized & SumVector(repeating: .max), SumVector(repeating: 1))
    &+ SumVector(repeating: 1 << 30)
  let byHalf = highProduct(by: half)
  var x = SumVector(repeating: 1_515_870_810) &+ byHalf(SumVector(repeating: -1_010_580_540))
  for _ in 0..<3 {
    let error = SumVector(repeating: 1 << 29) &- byHalf(x)
    x = x &+ shiftLeft(highProduct(by: x)(error), SumVector(repeating: 2))
  }
  // The half taken back moves the point, and so do the bits in front of it; one itself is too much.
  let isOne = SumVector() &- shiftRight(x, SumVector(repeating: 30))
  return (shiftLeft(x, SumVector(repeating: 1)) & ~isOne) | (SumVector(repeating: .max) & isOne)
}

/// The upper half of the doubled product with numbers that are not negative.
@inline(__always)
private func highProduct(by factor: SumVector) -> FixedPointScale {
  let zero = SumVector()
  return FixedPointScale(
    multiplier: factor, leftShift: zero, rightShift: zero, lastShift: zero, zeroPoint: zero)
}

/// The greatest byte of a row, as an unsigned one: signed ones 128 higher.
@inline(__always)
private func greatestByte(_ row: UnsafeRawPointer, count: Int, isSigned: Bool) -> Int {
  let flip = SumVector(repeating: isSigned ? Int32(bitPattern: 0x8080_8080) : 0)
  guard count >= sumVectorBytes else {
    var greatest: UInt8 = 0
    for index in 0..<count {
      let byte = loadByte(row + index) ^ (isSigned ? 0x80 : 0)
      greatest = byte > greatest ? byte : greatest
    }
    return Int(greatest)
  }
  let last = count &- sumVectorBytes
  var greatest = loadSums(row + last) ^ flip
  var index = 0
  while index < last {
    greatest = maximumOfBytes(greatest, loadSums(row + index) ^ flip, isSigned: false)
    index &+= sumVectorBytes
  }
  let halves = maximumOfBytes(greatest, greatest &>> 16, isSigned: false)
  let bytes = maximumOfBytes(halves, halves &>> 8, isSigned: false)
  return Int(largestLane(bytes & SumVector(repeating: 0xFF)))
}

/// The sum of exponentials, each rounded to a 4096th first; it wraps as the official one.
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
