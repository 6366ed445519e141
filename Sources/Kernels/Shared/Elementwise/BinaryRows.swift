import OcellusKernelABI

/// Applies a function of vectors to rows of two operands.
///
/// An element that meets a whole row is repeated in a vector that is read over and over, and rows
/// that do not fill a vector are copied to one.
@inline(__always)
func mapRows<Result>(
  _ rows: BinaryRows, elementBytes: Int,
  compute: (_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Result,
  store: (_ result: Result, _ output: UnsafeMutableRawPointer) -> Void
) {
  var vectors = (SumVector(), SumVector())
  withUnsafeMutableBytes(of: &vectors) { bytes in
    let ends = bytes.baseAddress.unsafelyUnwrapped
    let secondEnd = ends + sumVectorBytes
    let rowBytes = rows.rowLength &* elementBytes
    let isShort = rows.rowLength < SumVector.scalarCount
    let firstStep = rows.firstIsScalar ? 0 : elementBytes
    let secondStep = rows.secondIsScalar ? 0 : elementBytes
    for row in 0..<rows.rowCount {
      var first = rows.first + row &* rows.firstStride
      var second = rows.second + row &* rows.secondStride
      let output = rows.output + row &* rowBytes
      if rows.firstIsScalar {
        repeatElement(first, bytes: elementBytes, to: ends)
        first = UnsafeRawPointer(ends)
      } else if isShort {
        copyEnd(first, to: ends, count: rowBytes)
      }
      if rows.secondIsScalar {
        repeatElement(second, bytes: elementBytes, to: secondEnd)
        second = UnsafeRawPointer(secondEnd)
      } else if isShort {
        copyEnd(second, to: secondEnd, count: rowBytes)
      }
      if isShort {
        store(compute(ends, secondEnd), ends)
        copyEnd(ends, to: output, count: rowBytes)
        continue
      }
      mapElements(count: rows.rowLength, lanes: SumVector.scalarCount) { index in
        compute(first + index &* firstStep, second + index &* secondStep)
      } store: { result, index in
        store(result, output + index &* elementBytes)
      }
    }
  }
}

/// Fills a vector with one element.
@inline(__always)
private func repeatElement(
  _ element: UnsafeRawPointer, bytes: Int, to vector: UnsafeMutableRawPointer
) {
  let word: Int32
  switch bytes {
  case 1: word = Int32(loadByte(element)) &* 0x0101_0101
  case 2: word = Int32(UInt16(bitPattern: loadInt16(element))) &* 0x0001_0001
  default: word = loadInt32(element)
  }
  store(SumVector(repeating: word), to: vector)
}
