import OcellusKernelABI

/// The size of a block: two blocks, each with space for one more vector, fill a page of 4 KiB.
private let maximumBlockBytes = 2048 - 64

/// Visits rows that are shorter than a vector as blocks of many rows; longer rows as they are.
///
/// Operands that are broadcast along a row, or shared by all rows, are expanded to whole blocks, so
/// that the function runs on full vectors.
@inline(never)
func forEachBlock(
  of rows: BinaryRows, elementBytes: Int, resultBytes: Int? = nil, _ body: (BinaryRows) -> Void
) {
  let rowBytes = rows.rowLength &* elementBytes
  guard rowBytes > 0, rowBytes < sumVectorBytes, rows.rowCount > 1 else { return body(rows) }
  let first = RowOperand(
    start: rows.first, stride: rows.firstStride, isScalar: rows.firstIsScalar, rowBytes: rowBytes,
    elementBytes: elementBytes)
  let second = RowOperand(
    start: rows.second, stride: rows.secondStride, isScalar: rows.secondIsScalar,
    rowBytes: rowBytes, elementBytes: elementBytes)
  let rowsPerBlock = smaller(maximumBlockBytes / rowBytes, rows.rowCount)
  let resultRowBytes = rows.rowLength &* (resultBytes ?? elementBytes)
  let operandBytes = roundUp(rowsPerBlock &* rowBytes, to: 64) &+ 64
  withUnsafeTemporaryAllocation(byteCount: 2 &* operandBytes, alignment: 64) { memory in
    let scratch = memory.baseAddress.unsafelyUnwrapped
    var row = 0
    while row < rows.rowCount {
      let count = smaller(rowsPerBlock, rows.rowCount &- row)
      body(
        BinaryRows(
          first: first.block(from: row, count: count, scratch),
          second: second.block(from: row, count: count, scratch + operandBytes),
          output: rows.output + row &* resultRowBytes, rowLength: count &* rows.rowLength))
      row &+= count
    }
  }
}

/// An operand with short rows.
private struct RowOperand {
  var start: UnsafeRawPointer
  var stride: Int
  var isScalar: Bool
  var rowBytes: Int
  var elementBytes: Int

  /// Returns some rows contiguously: in place, or expanded in scratch memory.
  @inline(__always)
  func block(
    from row: Int, count: Int, _ scratch: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    let source = start + row &* stride
    if !isScalar && stride == rowBytes { return source }
    if isScalar {
      // Each vector reaches beyond the end of its row; the vector of the next row overwrites the
      // excess.
      for index in 0..<count {
        store(
          repeatedElement(source + index &* stride, bytes: elementBytes),
          to: scratch + index &* rowBytes)
      }
    } else {
      for index in 0..<count {
        copyBytes(source + index &* stride, to: scratch + index &* rowBytes, count: rowBytes)
      }
    }
    return UnsafeRawPointer(scratch)
  }
}

/// Returns a vector with one element repeated.
@inline(__always)
func repeatedElement(_ element: UnsafeRawPointer, bytes: Int) -> SumVector {
  let word: Int32
  switch bytes {
  case 8: return asLanes(WideVector(repeating: loadInt64(element)))
  case 1: word = Int32(loadByte(element)) &* 0x0101_0101
  case 2: word = Int32(UInt16(bitPattern: loadInt16(element))) &* 0x0001_0001
  default: word = loadInt32(element)
  }
  return SumVector(repeating: word)
}

extension QuantizedElement {
  @inline(__always)
  var byteCount: Int { self == .int16 ? 2 : 1 }
}
