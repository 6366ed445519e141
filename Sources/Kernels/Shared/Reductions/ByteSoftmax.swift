import OcellusKernelABI

/// The softmax of rows of bytes: every exponential is taken from a table, and scaled by what the sum
/// of its row's asks for.
func softmaxOfBytes(_ arguments: ByteSoftmaxArguments) {
  let count = arguments.rowLength
  let flip = Int(arguments.isSigned ? 0x80 : 0)
  for row in 0..<arguments.rowCount {
    let input = arguments.input + row &* count
    let greatest = greatestByte(input, count: count, isSigned: arguments.isSigned)
    // The table counts down from the greatest byte.
    let top = UnsafeRawPointer(arguments.exponentials) + greatest &* 4
    for index in 0..<count {
      let byte = Int(loadByte(input + index)) ^ flip
      store(loadInt32(top - byte &* 4), to: arguments.scratch + index &* 4)
    }
    let sum = sumOfExponentials(arguments.scratch, count: count)
    scale(
      arguments.scratch, to: arguments.output + row &* count, count: count,
      arguments.resultScale(sum))
  }
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
