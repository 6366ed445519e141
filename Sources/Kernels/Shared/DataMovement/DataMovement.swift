import OcellusKernelABI

var dataMovement: DataMovement {
  DataMovement(
    copyRows: copyRows, transpose1: transpose1, transpose2: transpose2, transpose4: transpose4,
    reverse1: reverse1, reverse2: reverse2, reverse4: reverse4, reverse8: reverse8,
    gatherRows: gatherRows)
}

private func gatherRows(_ arguments: GatheringArguments) {
  let rowBytes = arguments.rowBytes
  switch rowBytes {
  case 1: gatherElements(arguments, of: UInt8.self)
  case 2: gatherElements(arguments, of: Int16.self)
  case 4: gatherElements(arguments, of: Int32.self)
  case 8: gatherElements(arguments, of: Int64.self)
  default:
    for index in 0..<arguments.count {
      copyBytes(
        arguments.source + Int(arguments.rows[index]) &* rowBytes,
        to: arguments.target + index &* rowBytes, count: rowBytes)
    }
  }
}

/// Copies rows of a single element each.
@inline(__always)
private func gatherElements<Element: BitwiseCopyable>(
  _ arguments: GatheringArguments, of _: Element.Type
) {
  let size = MemoryLayout<Element>.size
  for index in 0..<arguments.count {
    let element = arguments.source + Int(arguments.rows[index]) &* size
    (arguments.target + index &* size).storeBytes(
      of: element.loadUnaligned(as: Element.self), as: Element.self)
  }
}

// Not taken: `rep movsb` or `memcpy` for PAD (as long: memory is the limit).
/// Copies rows, with the block size chosen once for all of them.
private func copyRows(_ arguments: CopyArguments) {
  let count = arguments.columnCount
  if count > 2 &* sumVectorBytes {
    for row in 0..<arguments.rowCount {
      copyBytes(
        arguments.source + row &* arguments.sourceStride,
        to: arguments.target + row &* arguments.targetStride, count: count)
    }
  } else if count >= sumVectorBytes {
    copyRows(arguments, in: SumVector.self)
  } else if count >= 32 {
    copyRows(arguments, in: SIMD8<Int32>.self)
  } else if count >= 16 {
    copyRows(arguments, in: SIMD4<Int32>.self)
  } else if count >= 8 {
    copyRows(arguments, in: Int64.self)
  } else if count >= 4 {
    copyRows(arguments, in: Int32.self)
  } else if count == 3 && arguments.targetStride == 3 && arguments.sourceStride > 0 {
    copyPixels(arguments)
  } else if count >= 2 {
    copyRows(arguments, in: Int16.self)
  } else {
    copyRows(arguments, in: UInt8.self)
  }
}

/// Copies rows of one to two blocks, each as two blocks that may overlap.
@inline(__always)
private func copyRows<Block: BitwiseCopyable>(
  _ arguments: CopyArguments, in _: Block.Type
) {
  let last = arguments.columnCount &- MemoryLayout<Block>.size
  for row in 0..<arguments.rowCount {
    let source = arguments.source + row &* arguments.sourceStride
    let target = arguments.target + row &* arguments.targetStride
    let start = source.loadUnaligned(as: Block.self)
    let end = (source + last).loadUnaligned(as: Block.self)
    target.storeBytes(of: start, as: Block.self)
    (target + last).storeBytes(of: end, as: Block.self)
  }
}

/// Copies rows of three bytes to consecutive addresses, four bytes at a time.
///
/// The fourth byte is overwritten by the next row. It may be read, because a row follows all but
/// the last one.
private func copyPixels(_ arguments: CopyArguments) {
  var last = arguments
  last.rowCount = smaller(1, arguments.rowCount)
  var (source, target) = (arguments.source, arguments.target)
  var row = 1
  while row < arguments.rowCount {
    store(loadInt32(source), to: target)
    source += arguments.sourceStride
    target += 3
    row &+= 1
  }
  (last.source, last.target) = (source, target)
  copyRows(last, in: Int16.self)
}

/// The number of rows of a slice that `forEachBlock` covers at a time.
let rowsPerSlice = 256

/// Visits blocks that cover a plane of at least one block; those at the ends overlap others.
///
/// It visits one slice of rows after the other. The cache lines that a block reads thus stay in the
/// cache until the next block reads the rest, and writes continue where earlier ones ended.
@inline(__always)
func forEachBlock(
  _ arguments: CopyArguments, rows: Int, columns: Int,
  _ visit: (_ row: Int, _ column: Int) -> Void
) {
  let lastRow = arguments.rowCount &- rows, lastColumn = arguments.columnCount &- columns
  var sliceStart = 0
  while sliceStart < arguments.rowCount {
    let end = smaller(sliceStart &+ rowsPerSlice, arguments.rowCount)
    var column = 0
    while column < arguments.columnCount {
      var row = sliceStart
      while row < end {
        visit(smaller(row, lastRow), smaller(column, lastColumn))
        row &+= rows
      }
      column &+= columns
    }
    sliceStart = end
  }
}
