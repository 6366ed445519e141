import OcellusKernelABI

/// Applies a function of vectors, by default of 32-bit lanes, to rows of two operands.
///
/// Rows that are shorter than a vector are copied to one.
@inline(__always)
func mapRows<Result>(
  _ rows: BinaryRows, elementBytes: Int, resultBytes: Int? = nil,
  lanes: Int = SumVector.scalarCount,
  compute: (_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Result,
  store: (_ result: Result, _ output: UnsafeMutableRawPointer) -> Void
) {
  let resultBytes = resultBytes ?? elementBytes
  guard rows.rowLength >= lanes else {
    return mapShortRows(
      rows, elementBytes: elementBytes, resultBytes: resultBytes, compute: compute, store: store)
  }
  forEachRow(rows, elementBytes: elementBytes, resultBytes: resultBytes) {
    first, firstStep, second, secondStep, output in
    mapElements(count: rows.rowLength, lanes: lanes) { index in
      compute(first + index &* firstStep, second + index &* secondStep)
    } store: { result, index in
      store(result, output + index &* resultBytes)
    }
  }
}

@inline(__always)
private func mapShortRows<Result>(
  _ rows: BinaryRows, elementBytes: Int, resultBytes: Int,
  compute: (_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Result,
  store: (_ result: Result, _ output: UnsafeMutableRawPointer) -> Void
) {
  let rowBytes = rows.rowLength &* elementBytes
  // Elements of 64 bits take twice the bytes of a vector with 32-bit lanes.
  var vectors = (SumVector(), SumVector(), SumVector(), SumVector())
  withUnsafeMutableBytes(of: &vectors) { bytes in
    let ends = bytes.baseAddress.unsafelyUnwrapped
    let secondEnd = ends + 2 &* sumVectorBytes
    forEachRow(rows, elementBytes: elementBytes, resultBytes: resultBytes) {
      first, firstStep, second, secondStep, output in
      if firstStep > 0 { copyEnd(first, to: ends, count: rowBytes) }
      if secondStep > 0 { copyEnd(second, to: secondEnd, count: rowBytes) }
      store(
        compute(
          firstStep > 0 ? UnsafeRawPointer(ends) : first,
          secondStep > 0 ? UnsafeRawPointer(secondEnd) : second), ends)
      copyEnd(ends, to: output, count: rows.rowLength &* resultBytes)
    }
  }
}

/// Visits rows of two operands, with the distance between the elements of each.
///
/// A broadcast element is repeated in a vector, which is read with a distance of zero.
@inline(__always)
func forEachRow(
  _ rows: BinaryRows, elementBytes: Int, resultBytes: Int,
  _ body: (
    _ first: UnsafeRawPointer, _ firstStep: Int, _ second: UnsafeRawPointer, _ secondStep: Int,
    _ output: UnsafeMutableRawPointer
  ) -> Void
) {
  var vectors = (SumVector(), SumVector())
  withUnsafeMutableBytes(of: &vectors) { bytes in
    let repeatedFirst = bytes.baseAddress.unsafelyUnwrapped
    let repeatedSecond = repeatedFirst + sumVectorBytes
    let firstStep = rows.firstIsScalar ? 0 : elementBytes
    let secondStep = rows.secondIsScalar ? 0 : elementBytes
    for row in 0..<rows.rowCount {
      var first = rows.first + row &* rows.firstStride
      var second = rows.second + row &* rows.secondStride
      if rows.firstIsScalar {
        store(repeatedElement(first, bytes: elementBytes), to: repeatedFirst)
        first = UnsafeRawPointer(repeatedFirst)
      }
      if rows.secondIsScalar {
        store(repeatedElement(second, bytes: elementBytes), to: repeatedSecond)
        second = UnsafeRawPointer(repeatedSecond)
      }
      let output = rows.output + row &* rows.rowLength &* resultBytes
      body(first, firstStep, second, secondStep, output)
    }
  }
}
