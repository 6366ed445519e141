import OcellusKernelABI

// The softmax of XNNPACK: exponentials are added in two vectors for whole blocks of four, then in
// one, whatever vectors this instruction set has. With AVX2 they have eight lanes, with AVX-512
// sixteen. On Arm they are added in one vector of four lanes, and come from a table.

/// Computes `exp(x - maximum)`, times the reciprocal of the sum over the row.
func softmaxOfXNNPACK(_ arguments: SoftmaxArguments, _ processor: LiteRTProcessor) {
  switch processor {
  case .avx2, .avx2Intel: computeSoftmax(arguments, storePowers, sumInEights)
  case .avx512: computeSoftmax(arguments, storePowers, sumInSixteens)
  case .neon:
    withSixtyFourthsOfOctaves { powers in
      computeSoftmax(
        arguments, { storePowersOfArm($0, to: $1, count: $2, powers) }, sumInFours)
    }
  }
}

@inline(__always)
private func computeSoftmax(
  _ arguments: SoftmaxArguments,
  _ storePowers: (UnsafeRawPointer, UnsafeMutableRawPointer, Int) -> Void,
  _ sumOfRow: (UnsafeRawPointer, Int) -> Float
) {
  let rowBytes = arguments.rowLength &* 4
  for row in 0..<arguments.rowCount {
    let output = arguments.output + row &* rowBytes
    storePowers(arguments.input + row &* rowBytes, output, arguments.rowLength)
    let sum = sumOfRow(output, arguments.rowLength)
    let factor = FloatVector(repeating: 1 / sum)
    map(ElementRow(input: output, output: output, count: arguments.rowLength)) { $0 * factor }
  }
}

/// Stores the exponentials of the differences from the greatest element.
@inline(never)
private func storePowers(
  _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, count: Int
) {
  let greatest = FloatVector(repeating: greatestElement(input, count: count))
  @inline(__always)
  func power(_ x: FloatVector) -> FloatVector { exponentialOfNegativeOfXNNPACK(x - greatest) }
  @inline(__always)
  func powerOfFour(_ x: Quartet) -> Quartet {
    exponentialOfNegativeOfXNNPACK(x - Quartet(greatest, greatest, greatest, greatest))
  }
  mapByFours(ElementRow(input: input, output: output, count: count), power, powerOfFour)
}

@inline(never)
private func storePowersOfArm(
  _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, count: Int,
  _ powers: UnsafeRawPointer
) {
  let greatest = FloatVector(repeating: greatestElement(input, count: count))
  @inline(__always)
  func power(_ x: FloatVector) -> FloatVector {
    exponentialOfNegativeOfArmXNNPACK(x - greatest, powers)
  }
  map(ElementRow(input: input, output: output, count: count), power)
}

@inline(__always)
private func sumInFours(_ elements: UnsafeRawPointer, count: Int) -> Float {
  var lanes = SIMD4<Float>.zero
  var address = elements
  var left = count
  while left >= 4 {
    lanes += address.loadUnaligned(as: SIMD4<Float>.self)
    address += 16
    left &-= 4
  }
  var sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
  if left >= 2 {
    sum += loadFloat(address) + loadFloat(address + 4)
    address += 8
    left &-= 2
  }
  return left > 0 ? sum + loadFloat(address) : sum
}

@inline(__always)
private func sumInEights(_ elements: UnsafeRawPointer, count: Int) -> Float {
  var (first, second) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
  var address = elements
  var left = count
  while left >= 32 {
    first += loadEight(address)
    second += loadEight(address + 32)
    first += loadEight(address + 64)
    second += loadEight(address + 96)
    address += 128
    left &-= 32
  }
  first += second
  while left >= 8 {
    first += loadEight(address)
    address += 32
    left &-= 8
  }
  for lane in 0..<left { first[lane] += loadFloat(address + lane &* 4) }
  return sumOfLanes(first)
}

@inline(__always)
private func sumInSixteens(_ elements: UnsafeRawPointer, count: Int) -> Float {
  var (first, second) = (TwoEights(), TwoEights())
  var address = elements
  var left = count
  while left >= 64 {
    first.add(at: address)
    second.add(at: address + 64)
    first.add(at: address + 128)
    second.add(at: address + 192)
    address += 256
    left &-= 64
  }
  first.low += second.low
  first.high += second.high
  while left >= 16 {
    first.add(at: address)
    address += 64
    left &-= 16
  }
  for lane in 0..<left {
    let element = loadFloat(address + lane &* 4)
    if lane < 8 { first.low[lane] += element } else { first.high[lane &- 8] += element }
  }
  return sumOfLanes(first.low + first.high)
}

/// The sixteen lanes of a vector, in two halves, which no instruction set has to spread.
private struct TwoEights {
  var low = SIMD8<Float>.zero
  var high = SIMD8<Float>.zero

  @inline(__always)
  mutating func add(at address: UnsafeRawPointer) {
    low += loadEight(address)
    high += loadEight(address + 32)
  }
}

@inline(__always)
private func sumOfLanes(_ lanes: SIMD8<Float>) -> Float {
  let half = lanes.lowHalf + lanes.highHalf
  return (half[0] + half[2]) + (half[1] + half[3])
}

@inline(__always)
private func loadEight(_ address: UnsafeRawPointer) -> SIMD8<Float> {
  address.loadUnaligned(as: SIMD8<Float>.self)
}
