import OcellusKernelABI

// The reference adds the exponentials of a row in order, so every addition depends on the one
// before. Therefore four rows are added side by side.

/// Computes the softmax of rows, bit-exact with the reference's loops.
///
/// It is `exp(beta · (x - maximum))`, divided by the sum over the row.
@inline(never)
func exactSoftmax(_ arguments: SoftmaxArguments, _ exponential: ExponentialAsLibm) {
  let rowBytes = arguments.rowLength &* 4
  var row = softmaxOfShortRows(arguments, .sequential) { exponential($0) }
  while row < arguments.rowCount {
    let rows = smaller(4, arguments.rowCount &- row)
    let output = arguments.output + row &* rowBytes
    for index in 0..<rows {
      raise(
        ElementRow(
          input: arguments.input + (row &+ index) &* rowBytes, output: output + index &* rowBytes,
          count: arguments.rowLength), beta: arguments.beta, exponential)
    }
    let sums = sums(output, rows: rows, rowLength: arguments.rowLength)
    for index in 0..<rows {
      divide(output + index &* rowBytes, count: arguments.rowLength, by: sums[index])
    }
    row &+= rows
  }
}

/// Stores the exponentials of a row.
@inline(__always)
private func raise(_ row: ElementRow, beta: Float, _ exponential: ExponentialAsLibm) {
  let greatest = FloatVector(repeating: greatestElement(row.input, count: row.count))
  let beta = FloatVector(repeating: beta)
  mapRow(row, inputBytes: 4, outputBytes: 4) { input in
    exponential((loadFloats(input) - greatest) * beta)
  } store: { result, output in
    store(result, to: output)
  }
}

/// Returns the sum of each row, added from first to last element.
@inline(__always)
private func sums(_ start: UnsafeRawPointer, rows: Int, rowLength: Int) -> SIMD4<Float> {
  let rowBytes = rowLength &* 4
  let second = start + smaller(1, rows &- 1) &* rowBytes
  let third = start + smaller(2, rows &- 1) &* rowBytes
  let fourth = start + smaller(3, rows &- 1) &* rowBytes
  var sums = SIMD4<Float>.zero
  for index in 0..<rowLength {
    let offset = index &* 4
    sums += SIMD4(
      loadFloat(start + offset), loadFloat(second + offset), loadFloat(third + offset),
      loadFloat(fourth + offset))
  }
  return sums
}

@inline(__always)
private func divide(_ row: UnsafeMutableRawPointer, count: Int, by sum: Float) {
  let sum = FloatVector(repeating: sum)
  mapRow(ElementRow(input: row, output: row, count: count), inputBytes: 4, outputBytes: 4) {
    loadFloats($0) / sum
  } store: { result, output in
    store(result, to: output)
  }
}
