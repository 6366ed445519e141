import OcellusKernelABI

func reverse1(_ arguments: CopyArguments) {
  copyBackwards(arguments, elementBytes: 1, reverse: reversedBytes) {
    store(loadByte($0), to: $1)
  }
}

func reverse2(_ arguments: CopyArguments) {
  copyBackwards(arguments, elementBytes: 2, reverse: reversedShorts) {
    store(loadInt16($0), to: $1)
  }
}

func reverse4(_ arguments: CopyArguments) {
  copyBackwards(arguments, elementBytes: 4, reverse: reversedQuads) {
    store(loadInt32($0), to: $1)
  }
}

func reverse8(_ arguments: CopyArguments) {
  copyBackwards(arguments, elementBytes: 8, reverse: reversedPair) {
    store(loadInt64($0), to: $1)
  }
}

/// Copies rows in reverse order, 16 bytes at a time; the last block overlaps the one before.
@inline(__always)
private func copyBackwards(
  _ arguments: CopyArguments, elementBytes: Int,
  reverse: (SIMD4<Int32>) -> SIMD4<Int32>,
  copy: (_ element: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) -> Void
) {
  let rowBytes = arguments.columnCount &* elementBytes
  for row in 0..<arguments.rowCount {
    // The end of the row.
    let end = arguments.source + (row &* arguments.sourceStride &+ elementBytes)
    let target = arguments.target + row &* arguments.targetStride
    @inline(__always)
    func copyBlock(_ offset: Int) {
      storeInt32s(reverse(loadInt32s(end - (offset &+ 16))), to: target + offset)
    }
    var offset = 0
    while offset &+ 64 <= rowBytes {
      copyBlock(offset)
      copyBlock(offset &+ 16)
      copyBlock(offset &+ 32)
      copyBlock(offset &+ 48)
      offset &+= 64
    }
    while offset < rowBytes && rowBytes >= 16 {
      copyBlock(smaller(offset, rowBytes &- 16))
      offset &+= 16
    }
    while offset < rowBytes {
      copy(end - (offset &+ elementBytes), target + offset)
      offset &+= elementBytes
    }
  }
}

@inline(__always)
private func reversedBytes(_ block: SIMD4<Int32>) -> SIMD4<Int32> {
  let x = unsafeBitCast(block, to: SIMD16<UInt8>.self)
  let reversed = SIMD16<UInt8>(
    x[15], x[14], x[13], x[12], x[11], x[10], x[9], x[8], x[7], x[6], x[5], x[4], x[3], x[2], x[1],
    x[0])
  return unsafeBitCast(reversed, to: SIMD4<Int32>.self)
}

@inline(__always)
private func reversedShorts(_ block: SIMD4<Int32>) -> SIMD4<Int32> {
  let x = unsafeBitCast(block, to: SIMD8<Int16>.self)
  let reversed = SIMD8<Int16>(x[7], x[6], x[5], x[4], x[3], x[2], x[1], x[0])
  return unsafeBitCast(reversed, to: SIMD4<Int32>.self)
}

@inline(__always)
private func reversedQuads(_ block: SIMD4<Int32>) -> SIMD4<Int32> {
  SIMD4<Int32>(block[3], block[2], block[1], block[0])
}

@inline(__always)
private func reversedPair(_ block: SIMD4<Int32>) -> SIMD4<Int32> {
  SIMD4<Int32>(block[2], block[3], block[0], block[1])
}
