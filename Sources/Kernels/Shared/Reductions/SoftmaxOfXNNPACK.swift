import OcellusKernelABI

// The softmax of XNNPACK for AVX2: exponentials are added in two vectors of eight lanes for whole
// blocks of 32 elements, then in one, whatever vectors this instruction set has.

/// Computes `exp(x - maximum)`, times the reciprocal of the sum over the row.
func softmaxOfXNNPACK(_ arguments: SoftmaxArguments) {
  let rowBytes = arguments.rowLength &* 4
  for row in 0..<arguments.rowCount {
    let output = arguments.output + row &* rowBytes
    let sum = storePowers(
      arguments.input + row &* rowBytes, to: output, count: arguments.rowLength)
    let factor = FloatVector(repeating: 1 / sum)
    map(ElementRow(input: output, output: output, count: arguments.rowLength)) { $0 * factor }
  }
}

/// Stores the exponentials of the differences from the greatest element, and returns their sum.
@inline(never)
private func storePowers(
  _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, count: Int
) -> Float {
  let greatest = FloatVector(repeating: greatestElement(input, count: count))
  @inline(__always)
  func power(_ x: FloatVector) -> FloatVector { exponentialOfNegativeOfXNNPACK(x - greatest) }
  @inline(__always)
  func powerOfFour(_ x: Quartet) -> Quartet {
    exponentialOfNegativeOfXNNPACK(x - Quartet(greatest, greatest, greatest, greatest))
  }
  mapByFours(ElementRow(input: input, output: output, count: count), power, powerOfFour)
  return sumInEights(output, count: count)
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
  let half = first.lowHalf + first.highHalf
  return (half[0] + half[2]) + (half[1] + half[3])
}

@inline(__always)
private func loadEight(_ address: UnsafeRawPointer) -> SIMD8<Float> {
  address.loadUnaligned(as: SIMD8<Float>.self)
}
