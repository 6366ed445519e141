import OcellusKernelABI

#if arch(x86_64)
  import _Builtin_intrinsics.intel
#endif

// Elements of one and two bytes are transposed in squares of 16-byte rows.
//
// A stage interleaves each row of the first half with its counterpart in the second half. This
// rotates the bits of an element's index, which are the row number followed by the column number,
// by one. After as many stages as a row number has bits, row and column are exchanged.

/// Transposes bytes.
func transpose1(_ arguments: CopyArguments) {
  if arguments.sourceStride % 512 == 0 && arguments.columnCount >= 64 && arguments.rowCount >= 16 {
    return transposeConflictingRows(arguments)
  }
  guard arguments.rowCount >= 16, arguments.columnCount >= 16 else {
    return transposePartialSquares(arguments)
  }
  forEachBlock(arguments, rows: 16, columns: 16) { row, column in
    transposeBytes(
      arguments.source + (row &* arguments.sourceStride &+ column), arguments.sourceStride,
      to: arguments.target + (column &* arguments.targetStride &+ row), arguments.targetStride)
  }
}

@inline(__always)
private func transposeBytes(
  _ source: UnsafeRawPointer, _ sourceStride: Int, to target: UnsafeMutableRawPointer,
  _ targetStride: Int
) {
  let square = interleaved(
    interleaved(interleaved(interleaved(loadByteSquare(source, sourceStride)))))
  store(square, to: target, apart: targetStride)
}

/// Transposes rows whose stride maps them to a few cache sets, where they evict each other.
///
/// Therefore the cache lines of sixteen rows are copied first, each one as a whole.
@inline(never)
private func transposeConflictingRows(_ arguments: CopyArguments) {
  let rows = arguments.rowCount, columns = arguments.columnCount
  // A buffer of sixteen rows of 64 bytes; its initial contents are irrelevant.
  let square = loadByteSquare(arguments.source, arguments.sourceStride)
  var squares = (square, square, square, square)
  withUnsafeMutableBytes(of: &squares) { memory in
    let buffer = memory.baseAddress.unsafelyUnwrapped
    var column = 0
    while column < columns {
      let firstColumn = smaller(column, columns &- 64)
      var row = 0
      while row < rows {
        let firstRow = smaller(row, rows &- 16)
        let source = arguments.source + (firstRow &* arguments.sourceStride &+ firstColumn)
        for index in 0..<16 {
          copyBytes(
            source + index &* arguments.sourceStride, to: buffer + index &* 64, count: 64)
        }
        for square in 0..<4 {
          let target =
            arguments.target
            + ((firstColumn &+ square &* 16) &* arguments.targetStride &+ firstRow)
          transposeBytes(buffer + square &* 16, 64, to: target, arguments.targetStride)
        }
        row &+= 16
      }
      column &+= 64
    }
  }
}

/// Transposes fewer than 16 rows or columns, by way of full squares in scratch memory.
@inline(never)
private func transposePartialSquares(_ arguments: CopyArguments) {
  let rows = smaller(arguments.rowCount, 16), columns = smaller(arguments.columnCount, 16)
  if rows == 16 && arguments.sourceStride == columns {
    if columns == 3 { return splitPixels(arguments) }
    if columns % 2 == 0 { return splitEvenPixels(arguments) }
  }
  if columns == 16 && arguments.targetStride == rows {
    if rows == 3 { return joinPlanes(arguments) }
    if rows % 2 == 0 { return joinEvenPlanes(arguments) }
  }
  guard rows >= 4, columns >= 4 else {
    for row in 0..<arguments.rowCount { copyBytesOneByOne(arguments, row: row) }
    return
  }
  withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { memory in
    let square = memory.baseAddress.unsafelyUnwrapped
    let transposedSquare = square + 256
    fillWithZeros(square, count: 256)
    forEachBlock(arguments, rows: rows, columns: columns) { row, column in
      let source = arguments.source + (row &* arguments.sourceStride &+ column)
      let target = arguments.target + (column &* arguments.targetStride &+ row)
      for index in 0..<rows {
        copyUpTo16(source + index &* arguments.sourceStride, to: square + index &* 16, columns)
      }
      transposeBytes(square, 16, to: transposedSquare, 16)
      for index in 0..<columns {
        copyUpTo16(
          transposedSquare + index &* 16, to: target + index &* arguments.targetStride, rows)
      }
    }
  }
}

@inline(__always)
private func copyUpTo16(
  _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ count: Int
) {
  if count == 16 { return storeInt32s(loadInt32s(source), to: target) }
  copyShort(source, to: target, count: count)
}

// Pixels of n bytes are deinterleaved sixteen at a time. A perfect shuffle of 16n bytes interleaves
// the first half with the second, and so doubles an index modulo 16n - 1. After four shuffles, byte
// c of pixel p has moved from np + c to 16 (np + c) = p + 16c: into plane c.

/// Splits contiguous pixels of three bytes into planes.
private func splitPixels(_ arguments: CopyArguments) {
  forEachSixteen(of: arguments.rowCount) { first in
    let pixels = loadByteTriple(arguments.source + 3 &* first, apart: 16)
    store(
      shuffled(shuffled(shuffled(shuffled(pixels)))), to: arguments.target + first,
      apart: arguments.targetStride)
  }
}

/// Interleaves three planes to contiguous pixels.
private func joinPlanes(_ arguments: CopyArguments) {
  forEachSixteen(of: arguments.columnCount) { first in
    let planes = loadByteTriple(arguments.source + first, apart: arguments.sourceStride)
    store(
      sorted(sorted(sorted(sorted(planes)))), to: arguments.target + 3 &* first, apart: 16)
  }
}

/// Splits pixels of up to 14 bytes, an even number, into planes.
private func splitEvenPixels(_ arguments: CopyArguments) {
  let half = arguments.columnCount / 2
  withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { memory in
    let a = memory.baseAddress.unsafelyUnwrapped, b = a + 256
    forEachSixteen(of: arguments.rowCount) { first in
      shuffle(arguments.source + 2 &* half &* first, half: half, to: a, apart: 16)
      shuffle(a, half: half, to: b, apart: 16)
      shuffle(b, half: half, to: a, apart: 16)
      shuffle(a, half: half, to: arguments.target + first, apart: arguments.targetStride)
    }
  }
}

/// Interleaves up to 14 planes, an even number, to pixels.
private func joinEvenPlanes(_ arguments: CopyArguments) {
  let half = arguments.rowCount / 2
  withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { memory in
    let a = memory.baseAddress.unsafelyUnwrapped, b = a + 256
    forEachSixteen(of: arguments.columnCount) { first in
      sort(arguments.source + first, apart: arguments.sourceStride, half: half, to: a)
      sort(a, apart: 16, half: half, to: b)
      sort(b, apart: 16, half: half, to: a)
      sort(a, apart: 16, half: half, to: arguments.target + 2 &* half &* first)
    }
  }
}

/// Visits at least sixteen items in groups of sixteen; the last group may overlap the one before.
@inline(__always)
private func forEachSixteen(of count: Int, _ body: (_ first: Int) -> Void) {
  var index = 0
  while index < count {
    body(smaller(index, count &- 16))
    index &+= 16
  }
}

/// Interleaves the bytes of the first `half` vectors with those of the second.
@inline(__always)
private func shuffle(
  _ source: UnsafeRawPointer, half: Int, to target: UnsafeMutableRawPointer, apart stride: Int
) {
  for index in 0..<half {
    let address = source + 16 &* index
    let pair = interleaved(
      address.loadUnaligned(as: Bytes.self), (address + 16 &* half).loadUnaligned(as: Bytes.self))
    let goal = target + 2 &* index &* stride
    goal.storeBytes(of: pair.low, as: Bytes.self)
    (goal + stride).storeBytes(of: pair.high, as: Bytes.self)
  }
}

/// Separates the bytes with even and with odd indices: the inverse of `shuffle`.
@inline(__always)
private func sort(
  _ source: UnsafeRawPointer, apart stride: Int, half: Int, to target: UnsafeMutableRawPointer
) {
  for index in 0..<half {
    let address = source + 2 &* index &* stride
    let pair = everyOther(
      address.loadUnaligned(as: Bytes.self), (address + stride).loadUnaligned(as: Bytes.self))
    let goal = target + 16 &* index
    goal.storeBytes(of: pair.even, as: Bytes.self)
    (goal + 16 &* half).storeBytes(of: pair.odd, as: Bytes.self)
  }
}

/// Transposes elements of two bytes.
func transpose2(_ arguments: CopyArguments) {
  guard arguments.rowCount >= 8, arguments.columnCount >= 8 else {
    for row in 0..<arguments.rowCount { copyPairsOneByOne(arguments, row: row) }
    return
  }
  forEachBlock(arguments, rows: 8, columns: 8) { row, column in
    let source = arguments.source + (row &* arguments.sourceStride &+ column &* 2)
    let square = interleaved(
      interleaved(interleaved(loadPairSquare(source, arguments.sourceStride))))
    store(
      square, to: arguments.target + (column &* arguments.targetStride &+ row &* 2),
      apart: arguments.targetStride)
  }
}

private func copyBytesOneByOne(_ arguments: CopyArguments, row: Int) {
  let source = arguments.source + row &* arguments.sourceStride
  for column in 0..<arguments.columnCount {
    store(
      loadByte(source + column), to: arguments.target + (column &* arguments.targetStride &+ row))
  }
}

private func copyPairsOneByOne(_ arguments: CopyArguments, row: Int) {
  let source = arguments.source + row &* arguments.sourceStride
  for column in 0..<arguments.columnCount {
    store(
      loadInt16(source + column &* 2),
      to: arguments.target + (column &* arguments.targetStride &+ row &* 2))
  }
}

// MARK: Bytes

private typealias Bytes = SIMD16<UInt8>
private typealias ByteSquare = (
  Bytes, Bytes, Bytes, Bytes, Bytes, Bytes, Bytes, Bytes,
  Bytes, Bytes, Bytes, Bytes, Bytes, Bytes, Bytes, Bytes
)

@inline(__always)
private func loadByteSquare(_ source: UnsafeRawPointer, _ stride: Int) -> ByteSquare {
  @inline(__always)
  func row(_ index: Int) -> Bytes { (source + index &* stride).loadUnaligned(as: Bytes.self) }
  return (
    row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7),
    row(8), row(9), row(10), row(11), row(12), row(13), row(14), row(15)
  )
}

@inline(__always)
private func store(
  _ square: ByteSquare, to target: UnsafeMutableRawPointer, apart stride: Int
) {
  @inline(__always)
  func store(_ row: Bytes, _ index: Int) {
    (target + index &* stride).storeBytes(of: row, as: Bytes.self)
  }
  store(square.0, 0)
  store(square.1, 1)
  store(square.2, 2)
  store(square.3, 3)
  store(square.4, 4)
  store(square.5, 5)
  store(square.6, 6)
  store(square.7, 7)
  store(square.8, 8)
  store(square.9, 9)
  store(square.10, 10)
  store(square.11, 11)
  store(square.12, 12)
  store(square.13, 13)
  store(square.14, 14)
  store(square.15, 15)
}

@inline(__always)
private func interleaved(_ x: ByteSquare) -> ByteSquare {
  let a = interleaved(x.0, x.8), b = interleaved(x.1, x.9)
  let c = interleaved(x.2, x.10), d = interleaved(x.3, x.11)
  let e = interleaved(x.4, x.12), f = interleaved(x.5, x.13)
  let g = interleaved(x.6, x.14), h = interleaved(x.7, x.15)
  return (
    a.low, a.high, b.low, b.high, c.low, c.high, d.low, d.high,
    e.low, e.high, f.low, f.high, g.low, g.high, h.low, h.high
  )
}

// MARK: Pixels

private typealias ByteTriple = (Bytes, Bytes, Bytes)

@inline(__always)
private func loadByteTriple(_ source: UnsafeRawPointer, apart stride: Int) -> ByteTriple {
  (
    source.loadUnaligned(as: Bytes.self), (source + stride).loadUnaligned(as: Bytes.self),
    (source + 2 &* stride).loadUnaligned(as: Bytes.self)
  )
}

@inline(__always)
private func store(_ x: ByteTriple, to target: UnsafeMutableRawPointer, apart stride: Int) {
  target.storeBytes(of: x.0, as: Bytes.self)
  (target + stride).storeBytes(of: x.1, as: Bytes.self)
  (target + 2 &* stride).storeBytes(of: x.2, as: Bytes.self)
}

/// Interleaves the first 24 bytes with the other ones.
@inline(__always)
private func shuffled(_ x: ByteTriple) -> ByteTriple {
  (
    interleaved(x.0, exchangedHalves(x.1)).low, interleaved(exchangedHalves(x.0), x.2).low,
    interleaved(x.1, exchangedHalves(x.2)).low
  )
}

/// Returns the bytes with even indices and then those with odd indices, which undoes `shuffled`.
@inline(__always)
private func sorted(_ x: ByteTriple) -> ByteTriple {
  let first = everyOther(x.0, x.1), second = everyOther(x.2, x.0), third = everyOther(x.1, x.2)
  return (first.even, joinedHalves(second.even, second.odd), third.odd)
}

@inline(__always)
private func exchangedHalves(_ x: Bytes) -> Bytes {
  let halves = unsafeBitCast(x, to: SIMD2<UInt64>.self)
  return unsafeBitCast(SIMD2(halves[1], halves[0]), to: Bytes.self)
}

/// Returns the first half of one vector and the second of another.
@inline(__always)
private func joinedHalves(_ a: Bytes, _ b: Bytes) -> Bytes {
  let first = unsafeBitCast(a, to: SIMD2<UInt64>.self)[0]
  return unsafeBitCast(
    SIMD2(first, unsafeBitCast(b, to: SIMD2<UInt64>.self)[1]), to: Bytes.self)
}

// MARK: Elements of two bytes

private typealias Pairs = SIMD8<UInt16>
private typealias PairSquare = (Pairs, Pairs, Pairs, Pairs, Pairs, Pairs, Pairs, Pairs)

@inline(__always)
private func loadPairSquare(_ source: UnsafeRawPointer, _ stride: Int) -> PairSquare {
  @inline(__always)
  func row(_ index: Int) -> Pairs { (source + index &* stride).loadUnaligned(as: Pairs.self) }
  return (row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7))
}

@inline(__always)
private func store(
  _ square: PairSquare, to target: UnsafeMutableRawPointer, apart stride: Int
) {
  @inline(__always)
  func store(_ row: Pairs, _ index: Int) {
    (target + index &* stride).storeBytes(of: row, as: Pairs.self)
  }
  store(square.0, 0)
  store(square.1, 1)
  store(square.2, 2)
  store(square.3, 3)
  store(square.4, 4)
  store(square.5, 5)
  store(square.6, 6)
  store(square.7, 7)
}

@inline(__always)
private func interleaved(_ x: PairSquare) -> PairSquare {
  let a = interleaved(x.0, x.4), b = interleaved(x.1, x.5)
  let c = interleaved(x.2, x.6), d = interleaved(x.3, x.7)
  return (a.low, a.high, b.low, b.high, c.low, c.high, d.low, d.high)
}

// MARK: Interleaving

// x86 uses intrinsics. In code that is written lane by lane, the optimiser traces each lane through
// all stages, and emits a shuffle for each.

#if arch(x86_64)
  /// Interleaves the bytes of two vectors.
  @inline(__always)
  private func interleaved(_ a: Bytes, _ b: Bytes) -> (low: Bytes, high: Bytes) {
    let a = unsafeBitCast(a, to: __m128i.self), b = unsafeBitCast(b, to: __m128i.self)
    return (
      unsafeBitCast(_mm_unpacklo_epi8(a, b), to: Bytes.self),
      unsafeBitCast(_mm_unpackhi_epi8(a, b), to: Bytes.self)
    )
  }

  /// Separates the bytes of two vectors with even and with odd indices.
  @inline(__always)
  private func everyOther(_ a: Bytes, _ b: Bytes) -> (even: Bytes, odd: Bytes) {
    let a = unsafeBitCast(a, to: __m128i.self), b = unsafeBitCast(b, to: __m128i.self)
    let mask = unsafeBitCast(Pairs(repeating: 0xFF), to: __m128i.self)
    return (
      unsafeBitCast(
        _mm_packus_epi16(_mm_and_si128(a, mask), _mm_and_si128(b, mask)), to: Bytes.self),
      unsafeBitCast(
        _mm_packus_epi16(_mm_srli_epi16(a, 8), _mm_srli_epi16(b, 8)), to: Bytes.self)
    )
  }

  /// Interleaves the elements of two vectors.
  @inline(__always)
  private func interleaved(_ a: Pairs, _ b: Pairs) -> (low: Pairs, high: Pairs) {
    let a = unsafeBitCast(a, to: __m128i.self), b = unsafeBitCast(b, to: __m128i.self)
    return (
      unsafeBitCast(_mm_unpacklo_epi16(a, b), to: Pairs.self),
      unsafeBitCast(_mm_unpackhi_epi16(a, b), to: Pairs.self)
    )
  }
#else
  /// Interleaves the bytes of two vectors.
  @inline(__always)
  private func interleaved(_ a: Bytes, _ b: Bytes) -> (low: Bytes, high: Bytes) {
    (
      Bytes(
        a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3],
        a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7]),
      Bytes(
        a[8], b[8], a[9], b[9], a[10], b[10], a[11], b[11],
        a[12], b[12], a[13], b[13], a[14], b[14], a[15], b[15])
    )
  }

  /// Separates the bytes of two vectors with even and with odd indices.
  @inline(__always)
  private func everyOther(_ a: Bytes, _ b: Bytes) -> (even: Bytes, odd: Bytes) {
    (
      Bytes(lowHalf: a.evenHalf, highHalf: b.evenHalf),
      Bytes(lowHalf: a.oddHalf, highHalf: b.oddHalf)
    )
  }

  /// Interleaves the elements of two vectors.
  @inline(__always)
  private func interleaved(_ a: Pairs, _ b: Pairs) -> (low: Pairs, high: Pairs) {
    (
      Pairs(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3]),
      Pairs(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
    )
  }
#endif
