import OcellusKernelABI

/// Transposes four-byte elements, in blocks of 4 or 16 columns and as many rows as a vector has
/// lanes.
func transpose4(_ arguments: CopyArguments) {
  let rows = arguments.rowCount, columns = arguments.columnCount
  if rows < 4 {
    transposeUpToThreeRows(arguments)
  } else if columns < 4 {
    transposeUpToThreeColumns(arguments)
  } else if rows < SumVector.scalarCount {
    forEachBlock(arguments, rows: 4, columns: 4) { row, column in
      transposeBlock(arguments, row: row, column: column)
    }
  } else if columns < cacheLineElements {
    forEachBlock(arguments, rows: SumVector.scalarCount, columns: 4) { row, column in
      transposeLanes(arguments, row: row, column: column)
    }
  } else {
    transposeCacheLines(arguments)
  }
}

/// The four-byte elements in a cache line.
private let cacheLineElements = 16

/// Transposes a cache line of each row at a time.
///
/// The stride of the rows is often such that few of their cache lines fit the L1 cache together, so
/// a cache line is read completely once it has been fetched.
private func transposeCacheLines(_ arguments: CopyArguments) {
  let lanes = SumVector.scalarCount
  let columns = arguments.columnCount
  let whole = columns & ~(cacheLineElements &- 1)
  var slice = arguments
  var row = 0
  while row < arguments.rowCount {
    // The last slice overlaps the one before if it has fewer rows than a block.
    let first = smaller(row, arguments.rowCount &- lanes)
    slice.source = arguments.source + first &* arguments.sourceStride
    slice.target = arguments.target + first &* 4
    slice.rowCount = smaller(rowsPerSlice, arguments.rowCount &- first)
    slice.columnCount = whole
    forEachBlock(slice, rows: lanes, columns: cacheLineElements) { row, column in
      transposeCacheLine(slice, row: row, column: column)
    }
    if whole < columns {
      let column = smaller(whole, columns &- 4)
      slice.source += column &* 4
      slice.target += column &* arguments.targetStride
      slice.columnCount = columns &- column
      forEachBlock(slice, rows: lanes, columns: 4) { row, column in
        transposeLanes(slice, row: row, column: column)
      }
    }
    row &+= rowsPerSlice
  }
}

/// Transposes up to three rows, such as the colour planes of a picture.
@inline(never)
private func transposeUpToThreeRows(_ arguments: CopyArguments) {
  let count = arguments.rowCount, stride = arguments.sourceStride
  let last = arguments.source + smaller(2, count &- 1) &* stride
  let middle = arguments.source + smaller(1, count &- 1) &* stride
  var column = 0
  while column &+ 4 <= arguments.columnCount {
    let third = loadInt32s(last + column &* 4)
    let block = transposed(
      loadInt32s(arguments.source + column &* 4), loadInt32s(middle + column &* 4), third, third)
    let target = arguments.target + column &* arguments.targetStride
    storeStart(block.0, count, to: target)
    storeStart(block.1, count, to: target + arguments.targetStride)
    storeStart(block.2, count, to: target + 2 &* arguments.targetStride)
    storeStart(block.3, count, to: target + 3 &* arguments.targetStride)
    column &+= 4
  }
  copyElementsOneByOne(arguments, rows: 0, count, columns: column, arguments.columnCount)
}

/// Stores the first `count` elements, up to three.
@inline(__always)
private func storeStart(
  _ elements: SIMD4<Int32>, _ count: Int, to target: UnsafeMutableRawPointer
) {
  if count > 1 {
    target.storeBytes(of: elements.lowHalf, as: SIMD2<Int32>.self)
    if count > 2 { store(elements[2], to: target + 8) }
  } else {
    store(elements[0], to: target)
  }
}

/// Transposes up to three columns, such as the colours of pixels.
@inline(never)
private func transposeUpToThreeColumns(_ arguments: CopyArguments) {
  let lanes = SumVector.scalarCount
  let stride = arguments.targetStride
  // Four elements of each row are read, which is safe as long as another row follows.
  let end = (arguments.rowCount &- 1) &* arguments.sourceStride &+ arguments.columnCount &* 4
  var row = 0
  while (row &+ lanes &- 1) &* arguments.sourceStride &+ 16 <= end {
    let x = transposedRows(
      arguments.source + row &* arguments.sourceStride, apart: arguments.sourceStride)
    let target = arguments.target + row &* 4
    store(x.0, to: target)
    if arguments.columnCount > 1 { store(x.1, to: target + stride) }
    if arguments.columnCount > 2 { store(x.2, to: target + 2 &* stride) }
    row &+= lanes
  }
  copyElementsOneByOne(arguments, rows: row, arguments.rowCount, columns: 0, arguments.columnCount)
}

@inline(__always)
private func copyElementsOneByOne(
  _ arguments: CopyArguments, rows: Int, _ rowEnd: Int, columns: Int, _ columnEnd: Int
) {
  for column in columns..<larger(columnEnd, columns) {
    for row in rows..<larger(rowEnd, rows) {
      store(
        loadInt32(arguments.source + (row &* arguments.sourceStride &+ column &* 4)),
        to: arguments.target + (column &* arguments.targetStride &+ row &* 4))
    }
  }
}

/// Transposes four elements of as many rows as a vector has lanes.
@inline(__always)
private func transposeLanes(_ arguments: CopyArguments, row: Int, column: Int) {
  let columns = transposedRows(
    arguments.source + (row &* arguments.sourceStride &+ column &* 4),
    apart: arguments.sourceStride)
  storeColumns(columns, arguments, row, column)
}

@inline(__always)
private func storeColumns(
  _ columns: (SumVector, SumVector, SumVector, SumVector), _ arguments: CopyArguments,
  _ row: Int, _ column: Int
) {
  let stride = arguments.targetStride
  let target = arguments.target + (column &* stride &+ row &* 4)
  store(columns.0, to: target)
  store(columns.1, to: target + stride)
  store(columns.2, to: target + 2 &* stride)
  store(columns.3, to: target + 3 &* stride)
}

/// Transposes a cache line of as many rows as a vector has lanes.
@inline(__always)
private func transposeCacheLine(_ arguments: CopyArguments, row: Int, column: Int) {
  guard segmentCount > 2 else {
    // The cache lines of so few rows fit the L1 cache together.
    for quarter in 0..<4 { transposeLanes(arguments, row: row, column: column &+ 4 &* quarter) }
    return
  }
  let stride = arguments.sourceStride
  let source = arguments.source + (row &* stride &+ column &* 4)
  // Each vector holds the same four elements of every fourth row.
  let a = quarters(source, apart: stride), b = quarters(source + stride, apart: stride)
  let c = quarters(source + 2 &* stride, apart: stride)
  let d = quarters(source + 3 &* stride, apart: stride)
  storeColumns(transposedSegments(a.0, b.0, c.0, d.0), arguments, row, column)
  storeColumns(transposedSegments(a.1, b.1, c.1, d.1), arguments, row, column &+ 4)
  storeColumns(transposedSegments(a.2, b.2, c.2, d.2), arguments, row, column &+ 8)
  storeColumns(transposedSegments(a.3, b.3, c.3, d.3), arguments, row, column &+ 12)
}

/// Returns the four quarters of a cache line, of every fourth row.
@inline(__always)
private func quarters(
  _ rows: UnsafeRawPointer, apart stride: Int
) -> (SumVector, SumVector, SumVector, SumVector) {
  (
    everyFourth(rows, apart: stride), everyFourth(rows + 16, apart: stride),
    everyFourth(rows + 32, apart: stride), everyFourth(rows + 48, apart: stride)
  )
}

/// Transposes four rows of four elements.
@inline(__always)
private func transposeBlock(_ arguments: CopyArguments, row: Int, column: Int) {
  let stride = arguments.sourceStride
  let source = arguments.source + (row &* stride &+ column &* 4)
  let target = arguments.target + (column &* arguments.targetStride &+ row &* 4)
  let block = transposed(
    loadInt32s(source), loadInt32s(source + stride), loadInt32s(source + 2 &* stride),
    loadInt32s(source + 3 &* stride))
  storeInt32s(block.0, to: target)
  storeInt32s(block.1, to: target + arguments.targetStride)
  storeInt32s(block.2, to: target + 2 &* arguments.targetStride)
  storeInt32s(block.3, to: target + 3 &* arguments.targetStride)
}
