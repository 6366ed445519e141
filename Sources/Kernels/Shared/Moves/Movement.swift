import OcellusKernelABI

#if arch(x86_64)
  import _Builtin_intrinsics.intel
#endif

var movement: Movement {
  Movement(
    copyRows: copyRows, transpose1: transpose1, transpose2: transpose2, transpose4: transpose4,
    gatherRows: gatherRows)
}

private func gatherRows(_ arguments: GatheringArguments) {
  let rowBytes = arguments.rowBytes
  for index in 0..<arguments.count {
    copyBytes(
      arguments.source + Int(arguments.rows[index]) &* rowBytes,
      to: arguments.target + index &* rowBytes, count: rowBytes)
  }
}

/// Rows of one length: what covers it is chosen once for all of them.
private func copyRows(_ arguments: MovementArguments) {
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
  } else if count >= 2 {
    copyRows(arguments, in: Int16.self)
  } else {
    copyRows(arguments, in: UInt8.self)
  }
}

/// Copies rows of one to two blocks, each as two that may overlap.
@inline(__always)
private func copyRows<Block: BitwiseCopyable>(
  _ arguments: MovementArguments, in _: Block.Type
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

/// As many rows at a time as a vector has lanes, and the last ones by fours.
private func transpose4(_ arguments: MovementArguments) {
  let lanes = SumVector.scalarCount
  let (rows, columns) = (arguments.rowCount, arguments.columnCount)
  let evenColumns = columns & ~3
  var row = 0
  while row < rows {
    let isWhole = row &+ lanes <= rows
    let isBlock = row &+ 4 <= rows
    let end = row &+ (isWhole ? lanes : isBlock ? 4 : rows &- row)
    var column = 0
    while isBlock && column < evenColumns {
      if isWhole {
        transposeLanes(arguments, row: row, column: column)
      } else {
        transposeBlock(arguments, row: row, column: column)
      }
      column &+= 4
    }
    moveElements(arguments, rows: row, end, columns: column, columns)
    row = end
  }
}

/// Transposes four elements of as many rows as there are lanes.
@inline(__always)
private func transposeLanes(_ arguments: MovementArguments, row: Int, column: Int) {
  let x = transposedRows(
    arguments.source + (row &* arguments.sourceStride &+ column &* 4),
    apart: arguments.sourceStride)
  let stride = arguments.targetStride
  let target = arguments.target + (column &* stride &+ row &* 4)
  store(x.0, to: target)
  store(x.1, to: target + stride)
  store(x.2, to: target + 2 &* stride)
  store(x.3, to: target + 3 &* stride)
}

/// Four elements of each of as many rows as there are lanes: the first of all rows, the second….
@inline(__always)
func transposedRows(
  _ rows: UnsafeRawPointer, apart stride: Int
) -> (SumVector, SumVector, SumVector, SumVector) {
  transposedParts(
    everyFourth(rows, apart: stride), everyFourth(rows + stride, apart: stride),
    everyFourth(rows + 2 &* stride, apart: stride), everyFourth(rows + 3 &* stride, apart: stride))
}

@inline(__always)
private func everyFourth(_ rows: UnsafeRawPointer, apart stride: Int) -> SumVector {
  let first = loadInt32s(rows)
  return joined(
    first, partCount > 1 ? loadInt32s(rows + 4 &* stride) : first,
    partCount > 2 ? loadInt32s(rows + 8 &* stride) : first,
    partCount > 2 ? loadInt32s(rows + 12 &* stride) : first)
}

@inline(__always)
private func moveElements(
  _ arguments: MovementArguments, rows: Int, _ rowEnd: Int, columns: Int, _ columnEnd: Int
) {
  for column in columns..<larger(columnEnd, columns) {
    for row in rows..<larger(rowEnd, rows) {
      store(
        loadInt32(arguments.source + (row &* arguments.sourceStride &+ column &* 4)),
        to: arguments.target + (column &* arguments.targetStride &+ row &* 4))
    }
  }
}

/// Transposes four rows of four elements.
@inline(__always)
private func transposeBlock(_ arguments: MovementArguments, row: Int, column: Int) {
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

#if arch(x86_64)
  /// Four rows of four lanes as columns.
  @inline(__always)
  func transposed(
    _ a: SIMD4<Int32>, _ b: SIMD4<Int32>, _ c: SIMD4<Int32>, _ d: SIMD4<Int32>
  ) -> (SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>) {
    let a = unsafeBitCast(a, to: __m128i.self), b = unsafeBitCast(b, to: __m128i.self)
    let c = unsafeBitCast(c, to: __m128i.self), d = unsafeBitCast(d, to: __m128i.self)
    let lowPairs = _mm_unpacklo_epi32(a, b), highPairs = _mm_unpackhi_epi32(a, b)
    let lowOthers = _mm_unpacklo_epi32(c, d), highOthers = _mm_unpackhi_epi32(c, d)
    return (
      unsafeBitCast(_mm_unpacklo_epi64(lowPairs, lowOthers), to: SIMD4<Int32>.self),
      unsafeBitCast(_mm_unpackhi_epi64(lowPairs, lowOthers), to: SIMD4<Int32>.self),
      unsafeBitCast(_mm_unpacklo_epi64(highPairs, highOthers), to: SIMD4<Int32>.self),
      unsafeBitCast(_mm_unpackhi_epi64(highPairs, highOthers), to: SIMD4<Int32>.self)
    )
  }
#else
  /// Four rows of four lanes as columns.
  @inline(__always)
  func transposed(
    _ a: SIMD4<Int32>, _ b: SIMD4<Int32>, _ c: SIMD4<Int32>, _ d: SIMD4<Int32>
  ) -> (SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>) {
    (
      SIMD4(a[0], b[0], c[0], d[0]), SIMD4(a[1], b[1], c[1], d[1]),
      SIMD4(a[2], b[2], c[2], d[2]), SIMD4(a[3], b[3], c[3], d[3])
    )
  }
#endif
