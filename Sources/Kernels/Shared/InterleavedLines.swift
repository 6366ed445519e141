import OcellusKernelABI

/// The input lines under the windows of some neighbouring output pixels, prepared for `dot`.
///
/// A vector per column holds, for every channel of a block, `depthPerDot` elements one below the
/// other; a window is then its columns side by side. What windows share is prepared once, and
/// padding is the same as input to whoever reads it.
struct InterleavedLines {
  var geometry: PatchGeometry
  var padding: QuantizedElements
  /// The columns of the input under all the windows.
  var columns: Int
  /// The first of them; negative in the padding.
  var firstColumn: Int
  /// The vectors: `columns` for each group of lines.
  var vectors: UnsafeMutableRawPointer
  var table: LineTable

  /// Prepares a block of channels.
  @inline(never)
  func interleave(channel: Int, isSigned: Bool) {
    let first = smaller(larger(0 &- firstColumn, 0), columns)
    let end = larger(smaller(geometry.inputWidth &- firstColumn, columns), first)
    let safeEnd = larger(smaller(wholeReads(channel) &- firstColumn, end), first)
    for group in 0..<table.groups {
      let target = vectors + group &* columns &* sumVectorBytes
      fill(target, count: first)
      fill(target + end &* sumVectorBytes, count: columns &- end)
      var lines = LineGroup(table, group, channel: channel, column: firstColumn &+ first)
      var column = target + first &* sumVectorBytes
      for _ in first..<safeEnd {
        store(lines.next(isSigned: isSigned), to: column)
        column += sumVectorBytes
      }
      for index in safeEnd..<end {
        var copy = LineGroup(table, group, channel: channel, column: firstColumn &+ index)
        copy.copyChannels(geometry.channels &- channel, to: table.copies)
        store(copy.next(isSigned: isSigned), to: column)
        column += sumVectorBytes
      }
    }
  }

  /// The columns of a line where a whole block of channels can be read from `channel` on: if
  /// there are fewer channels, it takes in what is behind, which at the end may not be touched.
  @inline(__always)
  private func wholeReads(_ channel: Int) -> Int {
    let left = geometry.channels &- channel
    if left >= SumVector.scalarCount { return geometry.inputWidth }
    let beyond = SumVector.scalarCount &- left
    return geometry.inputWidth
      &- (beyond &+ geometry.pixelStride &- 1) / geometry.pixelStride
  }

  @inline(__always)
  private func fill(_ target: UnsafeMutableRawPointer, count: Int) {
    padding.fill(target, count: count &* SumVector.scalarCount &* depthPerDot)
  }
}

/// Where the lines under the windows of one output line are, in scratch memory.
struct LineTable {
  /// The vectors that hold one column of a window.
  var groups: Int
  private var addresses: UnsafeMutablePointer<UnsafeRawPointer>
  private var steps: UnsafeMutablePointer<Int>
  /// A block of channels in the padding above and below the input.
  private var padding: UnsafeMutableRawPointer
  /// Room for a block of channels of every line of a group.
  fileprivate var copies: UnsafeMutableRawPointer

  @inline(__always)
  static func groups(_ kernelHeight: Int) -> Int {
    (kernelHeight &+ depthPerDot &- 1) / depthPerDot
  }

  static func byteCount(_ kernelHeight: Int) -> Int {
    let lines = groups(kernelHeight) * depthPerDot
    return roundUp(lines * 16 + (1 + depthPerDot) * SumVector.scalarCount, to: 64)
  }

  @inline(__always)
  init(_ geometry: PatchGeometry, _ format: QuantizedFormat, in scratch: UnsafeMutableRawPointer) {
    groups = LineTable.groups(geometry.kernelHeight)
    let lines = groups &* depthPerDot
    addresses = scratch.assumingMemoryBound(to: UnsafeRawPointer.self)
    steps = (scratch + lines &* 8).assumingMemoryBound(to: Int.self)
    padding = scratch + lines &* 16
    copies = padding + SumVector.scalarCount
    let zero = UInt8(truncatingIfNeeded: format.zeroPoint)
    for lane in 0..<SumVector.scalarCount { store(zero, to: padding + lane) }
  }

  /// Notes the lines under the windows of output line `y`.
  @inline(__always)
  func find(_ geometry: PatchGeometry, _ image: UnsafeRawPointer, y: Int) {
    let lineBytes = geometry.inputWidth &* geometry.pixelStride
    for line in 0..<groups &* depthPerDot {
      // Lines that fill up a group have weights of zero: any will do.
      let real = line < geometry.kernelHeight ? line : 0
      let inputY =
        y &* geometry.strideHeight &- geometry.paddingTop &+ real &* geometry.dilationHeight
      let isInside = inputY >= 0 && inputY < geometry.inputHeight
      addresses[line] = isInside ? image + inputY &* lineBytes : UnsafeRawPointer(padding)
      steps[line] = isInside ? geometry.pixelStride : 0
    }
  }

  /// The address of a line's block of channels, and the distance to the next column.
  @inline(__always)
  fileprivate func line(
    _ line: Int, channel: Int, column: Int
  ) -> (address: UnsafeRawPointer, step: Int) {
    let step = steps[line]
    return (addresses[line] + (step == 0 ? 0 : column &* step &+ channel), step)
  }
}

/// The lines of one group, read column by column.
private struct LineGroup {
  var address0, address1, address2, address3: UnsafeRawPointer
  var step0, step1, step2, step3: Int

  @inline(__always)
  init(_ table: LineTable, _ group: Int, channel: Int, column: Int) {
    let first = group &* depthPerDot
    (address0, step0) = table.line(first, channel: channel, column: column)
    (address1, step1) = table.line(first &+ 1, channel: channel, column: column)
    let third = depthPerDot > 2 ? first &+ 2 : first
    (address2, step2) = table.line(third, channel: channel, column: column)
    let fourth = depthPerDot > 2 ? first &+ 3 : first
    (address3, step3) = table.line(fourth, channel: channel, column: column)
  }

  @inline(__always)
  mutating func next(isSigned: Bool) -> SumVector {
    let vector = interleaved(address0, address1, address2, address3, isSigned: isSigned)
    address0 += step0
    address1 += step1
    address2 += step2
    address3 += step3
    return vector
  }

  /// Points to a copy of the channels that there are, with room behind.
  mutating func copyChannels(_ count: Int, to copies: UnsafeMutableRawPointer) {
    let size = SumVector.scalarCount
    copyEnd(address0, to: copies, count: count)
    copyEnd(address1, to: copies + size, count: count)
    address0 = UnsafeRawPointer(copies)
    address1 = UnsafeRawPointer(copies + size)
    guard depthPerDot > 2 else { return }
    copyEnd(address2, to: copies + 2 &* size, count: count)
    copyEnd(address3, to: copies + 3 &* size, count: count)
    address2 = UnsafeRawPointer(copies + 2 &* size)
    address3 = UnsafeRawPointer(copies + 3 &* size)
  }
}
