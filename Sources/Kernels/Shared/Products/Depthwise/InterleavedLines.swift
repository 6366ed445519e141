import OcellusKernelABI

/// Where the input under the windows of some neighbouring output pixels is put, prepared for
/// `dot`, and how much room that takes.
///
/// Lines of the input are interleaved by groups of `depthPerDot`: a lane holds what lies one below
/// the other in one column and channel. What windows share is prepared once, and padding is the
/// same as input to whoever reads it. Where pixels share vectors, columns that are `strideWidth`
/// apart lie side by side, so that windows side by side are vectors side by side, whatever the
/// stride; the columns between them are in an array of their own.
struct InterleavedLayout {
  /// The windows as they are prepared: see `folded`.
  var geometry: PatchGeometry
  /// The columns of the input from a line of a group to the next: 0 unless windows are folded.
  var lineShift: Int
  var blocks: ChannelBlocks
  /// The groups of lines under a window.
  var groups: Int
  /// The groups from a window to the one below it, where they have others in common: 0 elsewhere.
  var groupStep: Int
  /// The arrays of columns for each group of lines.
  var slots: Int
  /// The columns of an array from a window to the next.
  var windowStep: Int
  /// The columns of an array beyond those from window to window.
  var extraColumns: Int
  /// The output pixels that are prepared at once.
  var pixels: Int
  /// The bytes from a column to the next.
  var columnBytes: Int
  var arrayBytes: Int
  /// Whether a line is interleaved as it lies, and its columns are dealt out to the arrays then: they have few
  /// channels, which would be interleaved one column at a time.
  var dealsColumns: Bool

  /// The bytes of a unit of `interleaveUnit`, which may be written behind an array.
  @inline(__always)
  private static var slack: Int { unitChannels &* 4 }

  /// What should stay in the nearest cache beside weights and results.
  @inline(__always)
  private static var wantedBytes: Int { 24 * 1024 }

  @inline(__always)
  init(_ unfolded: PatchGeometry, _ blocks: ChannelBlocks) {
    let geometry = unfolded.folded
    self.geometry = geometry
    lineShift = unfolded.foldsColumns ? unfolded.dilationWidth : 0
    self.blocks = blocks
    let width = geometry.windowWidth, stride = geometry.strideWidth
    let dilation = geometry.dilationWidth
    groups = InterleavedLayout.groups(geometry.windowHeight)
    let sharesGroups =
      geometry.strideHeight == depthPerDot && geometry.dilationHeight == 1
      && geometry.windowHeight > depthPerDot && geometry.outputHeight > 1
    groupStep = sharesGroups ? 1 : 0
    windowStep = 1
    if dilation % stride == 0 && dilation / stride < geometry.outputWidth {
      slots = 1
      extraColumns = (width &- 1) &* (dilation / stride)
    } else if dilation == 1 && stride <= width && !blocks.shareVectors {
      slots = 1
      windowStep = stride
      extraColumns = width &- 1
    } else if dilation == 1 {
      slots = smaller(stride, width)
      extraColumns = (width &- 1) / stride
    } else {
      slots = width
      extraColumns = 0
    }
    columnBytes = blocks.pixelLanes &* 4
    let columns =
      InterleavedLayout.wantedBytes / (slots &* (groups &+ groupStep) &* columnBytes)
    pixels = smaller(
      larger((columns &- extraColumns) / windowStep, 8) & ~7, geometry.outputWidth)
    dealsColumns =
      slots > 1 && lineShift == 0 && dilation == 1 && blocks.chunksAreLines
      && geometry.pixelStride == blocks.channels
    arrayBytes = 0
    // Dealt out columns are written in whole vectors.
    arrayBytes = roundUp(
      self.columns(of: pixels) &* columnBytes &+ (dealsColumns ? sumVectorBytes &- 1 : 0), to: 64)
  }

  /// The columns of an array that so many windows need.
  @inline(__always)
  func columns(of windows: Int) -> Int { (windows &- 1) &* windowStep &+ 1 &+ extraColumns }

  /// The columns of the input from one column of an array to the next.
  @inline(__always)
  var columnStep: Int { windowStep == 1 ? geometry.strideWidth : 1 }

  @inline(__always)
  static func groups(_ windowHeight: Int) -> Int {
    (windowHeight &+ depthPerDot &- 1) / depthPerDot
  }

  /// Whether the lines under the windows of two output lines fit the groups of one.
  @inline(__always)
  static func pairsLines(_ windowHeight: Int) -> Bool {
    windowHeight > 1 && groups(windowHeight &+ 1) == groups(windowHeight)
  }

  /// The groups under the windows of two lines.
  @inline(__always)
  var allGroups: Int { groups &+ groupStep }

  @inline(__always)
  var byteCount: Int {
    arraysByteCount &+ (dealsColumns ? inputColumns(of: pixels) &* columnBytes : 0)
      &+ InterleavedLayout.slack
  }

  /// The bytes of all arrays.
  @inline(__always)
  var arraysByteCount: Int { slots &* allGroups &* arrayBytes }

  /// The columns of the input that are dealt out for so many windows.
  @inline(__always)
  func inputColumns(of windows: Int) -> Int {
    (columns(of: windows) &- 1) &* columnStep &+ slots
  }

  /// How far the first vectors under a column of the window are from those of the first column.
  @inline(__always)
  func offset(column: Int) -> Int {
    let slot: Int, index: Int
    if slots == 1 && extraColumns > 0 {
      (slot, index) = (0, column &* geometry.dilationWidth / columnStep)
    } else if geometry.dilationWidth == 1 {
      (slot, index) = (column % geometry.strideWidth, column / geometry.strideWidth)
    } else {
      (slot, index) = (column, 0)
    }
    return slot &* allGroups &* arrayBytes &+ index &* columnBytes
  }
}

/// Lines of the input being interleaved.
struct InterleavedLines {
  var layout: InterleavedLayout
  var padding: QuantizedElements
  /// The arrays of `layout`.
  var arrays: UnsafeMutableRawPointer
  var table: LineTable

  /// Prepares channels of the first groups under the windows of `count` output pixels from `x` on.
  @inline(never)
  func prepare(x: Int, count: Int, channel: Int, channels: Int, groups: Int) {
    if layout.dealsColumns { return dealColumns(x: x, count: count, groups: groups) }
    let geometry = layout.geometry
    let stride = layout.columnStep
    let columns = layout.columns(of: count)
    // How far the last line of a group is shifted.
    let reach = (depthPerDot &- 1) &* layout.lineShift
    for slot in 0..<layout.slots {
      let column =
        x &* geometry.strideWidth &- geometry.paddingLeft &+ slot &* geometry.dilationWidth
      // Columns that some lines have, those that all have, and again those that some have.
      let first = smaller(columnsUpTo(0, from: column, by: stride), columns)
      let some =
        reach == 0 ? first : smaller(columnsUpTo(-reach, from: column, by: stride), columns)
      let end = larger(
        smaller(columnsUpTo(geometry.inputWidth &- reach, from: column, by: stride), columns),
        first)
      let last =
        reach == 0
        ? end
        : larger(
          smaller(columnsUpTo(geometry.inputWidth, from: column, by: stride), columns), end)
      var array = arrays + slot &* layout.allGroups &* layout.arrayBytes
      for group in 0..<groups {
        let run = { (first: Int, end: Int) in
          ColumnRun(
            column: column &+ first &* stride, count: end &- first, channel: channel,
            channels: channels)
        }
        pad(array, count: some)
        interleaveEdge(run(some, first), group, to: array + some &* layout.columnBytes)
        interleave(run(first, end), group, to: array + first &* layout.columnBytes)
        interleaveEdge(run(end, last), group, to: array + end &* layout.columnBytes)
        pad(array + last &* layout.columnBytes, count: columns &- last)
        array += layout.arrayBytes
      }
    }
  }

  /// Prepares all channels: interleaves a group as it lies, and deals its columns out.
  private func dealColumns(x: Int, count: Int, groups: Int) {
    let geometry = layout.geometry
    let stride = layout.columnStep, columns = layout.columns(of: count)
    let left = x &* geometry.strideWidth &- geometry.paddingLeft
    let start = larger(left, 0)
    let end = smaller(left &+ layout.inputColumns(of: count), geometry.inputWidth)
    let line = arrays + layout.arraysByteCount
    for group in 0..<groups {
      if end > start {
        LineGroup(table, group, isSigned: padding.isSigned).interleave(
          start &* geometry.pixelStride, count: (end &- start) &* geometry.pixelStride, to: line)
      }
      for slot in 0..<layout.slots {
        let column = left &+ slot
        let first = smaller(columnsUpTo(0, from: column, by: stride), columns)
        let last = larger(
          smaller(columnsUpTo(geometry.inputWidth, from: column, by: stride), columns), first)
        let array = arrays + (slot &* layout.allGroups &+ group) &* layout.arrayBytes
        pad(array, count: first)
        deal(
          line + (column &+ first &* stride &- start) &* layout.columnBytes, count: last &- first,
          to: array + first &* layout.columnBytes)
        pad(array + last &* layout.columnBytes, count: columns &- last)
      }
    }
  }

  /// Copies columns from where they are a stride apart, in whole vectors.
  @inline(__always)
  private func deal(_ source: UnsafeRawPointer, count: Int, to target: UnsafeMutableRawPointer) {
    let (columnBytes, step) = (layout.columnBytes, layout.columnStep &* layout.columnBytes)
    var source = source, target = target
    for _ in 0..<count {
      var offset = 0
      repeat {
        store(loadSums(source + offset), to: target + offset)
        offset &+= sumVectorBytes
      } while offset < columnBytes
      source += step
      target += columnBytes
    }
  }

  /// How many of the columns from `column` on lie in front of `limit`.
  @inline(__always)
  private func columnsUpTo(_ limit: Int, from column: Int, by stride: Int) -> Int {
    let columns = limit &- column
    // Where a window is all there is, as in models of streams, divisions take longer than its sums.
    return larger(stride == 1 ? columns : (columns &+ stride &- 1) / stride, 0)
  }

  /// Some columns and channels of a line.
  private struct ColumnRun {
    var column: Int
    var count: Int
    var channel: Int
    var channels: Int
  }

  @inline(__always)
  private func pad(_ target: UnsafeMutableRawPointer, count: Int) {
    var target = target
    let end = target + count &* layout.columnBytes
    while target < end {
      store(padding.paddingVector, to: target)
      target += sumVectorBytes
    }
  }

  @inline(__always)
  private func interleave(_ run: ColumnRun, _ group: Int, to target: UnsafeMutableRawPointer) {
    guard run.count > 0 else { return }
    let geometry = layout.geometry
    let lines = LineGroup(table, group, isSigned: padding.isSigned)
    var offset = run.column &* geometry.pixelStride &+ run.channel
    if layout.blocks.chunksAreLines && layout.columnStep == 1 {
      lines.interleave(offset, count: run.count &* run.channels, to: target)
      return
    }
    let step = layout.columnStep &* geometry.pixelStride
    var target = target
    for _ in 0..<run.count {
      lines.interleave(offset, count: run.channels, to: target)
      offset &+= step
      target += layout.columnBytes
    }
  }

  /// Interleaves columns that not all lines of a folded group have, one by one.
  @inline(__always)
  private func interleaveEdge(_ run: ColumnRun, _ group: Int, to target: UnsafeMutableRawPointer) {
    guard run.count > 0 else { return }
    let geometry = layout.geometry
    let lines = LineGroup(table, group, isSigned: padding.isSigned)
    var column = run.column
    var target = target
    for _ in 0..<run.count {
      lines.inside(column, layout, table).interleave(
        column &* geometry.pixelStride &+ run.channel, count: run.channels, to: target)
      column &+= layout.columnStep
      target += layout.columnBytes
    }
  }
}

extension PatchGeometry {
  /// Whether windows of one line are folded: neighbouring columns take the places of lines, of which `dot`
  /// would multiply only one.
  @inline(__always)
  var foldsColumns: Bool { windowHeight == 1 && windowWidth > 1 }

  /// The geometry of folded windows: as many lines as `dot` takes, each a column further to the right
  /// than the one above it.
  @inline(__always)
  var folded: PatchGeometry {
    guard foldsColumns else { return self }
    var folded = self
    folded.windowHeight = depthPerDot
    folded.windowWidth = (windowWidth &+ depthPerDot &- 1) / depthPerDot
    folded.dilationWidth = dilationWidth &* depthPerDot
    return folded
  }
}

/// Where the lines under the windows of one or two output lines are, in scratch memory.
struct LineTable {
  private var addresses: UnsafeMutablePointer<UnsafeRawPointer>
  /// All ones, or zero for lines above and below the input, which have one pixel for all.
  private var masks: UnsafeMutablePointer<Int>
  /// A unit of channels in the padding.
  fileprivate var padding: UnsafeMutableRawPointer
  /// Room for a unit of channels of every line of a group.
  fileprivate var copies: UnsafeMutableRawPointer
  /// The end of what may be read.
  fileprivate var end: UnsafeRawPointer

  static func byteCount(groups: Int) -> Int {
    roundUp(groups * depthPerDot * 16 + (1 + depthPerDot) * unitChannels, to: 64)
  }

  @inline(__always)
  init(groups: Int, _ format: QuantizedFormat, in scratch: UnsafeMutableRawPointer) {
    let lines = groups &* depthPerDot
    addresses = scratch.assumingMemoryBound(to: UnsafeRawPointer.self)
    masks = (scratch + lines &* 8).assumingMemoryBound(to: Int.self)
    padding = scratch + lines &* 16
    copies = padding + unitChannels
    end = UnsafeRawPointer(scratch)
    let zero = UInt8(truncatingIfNeeded: format.zeroPoint)
    for lane in 0..<unitChannels { store(zero, to: padding + lane) }
  }

  /// Notes `count` lines under windows whose first line is `top`.
  @inline(__always)
  mutating func find(
    _ layout: InterleavedLayout, _ image: UnsafeRawPointer, top: Int, count: Int
  ) {
    let geometry = layout.geometry
    let lineBytes = geometry.inputWidth &* geometry.pixelStride
    let shiftBytes = layout.lineShift &* geometry.pixelStride
    end = image + geometry.inputHeight &* lineBytes
    for line in 0..<layout.allGroups &* depthPerDot {
      // Lines that fill up a group have weights of zero: any will do.
      let y = top &+ (line < count ? line &* geometry.dilationHeight : 0)
      let isInside = y >= 0 && y < geometry.inputHeight
      addresses[line] =
        isInside ? image + (y &* lineBytes &+ line &* shiftBytes) : UnsafeRawPointer(padding)
      masks[line] = isInside ? -1 : 0
    }
  }

  @inline(__always)
  fileprivate func line(_ line: Int) -> (UnsafeRawPointer, Int) { (addresses[line], masks[line]) }
}

/// The lines of one group.
private struct LineGroup {
  var address0, address1, address2, address3: UnsafeRawPointer
  var mask0, mask1, mask2, mask3: Int
  /// The bytes of every line that may be read.
  var readable: Int
  /// Room for a unit of bytes of every line.
  var copies: UnsafeMutableRawPointer
  var isSigned: Bool

  @inline(__always)
  init(_ table: LineTable, _ group: Int, isSigned: Bool) {
    let first = group &* depthPerDot
    (address0, mask0) = table.line(first)
    (address1, mask1) = table.line(first &+ 1)
    (address2, mask2) = table.line(depthPerDot > 2 ? first &+ 2 : first)
    (address3, mask3) = table.line(depthPerDot > 2 ? first &+ 3 : first)
    copies = table.copies
    self.isSigned = isSigned
    readable = Int.max
    limit(address0, mask0, table.end)
    limit(address1, mask1, table.end)
    limit(address2, mask2, table.end)
    limit(address3, mask3, table.end)
  }

  @inline(__always)
  private mutating func limit(_ address: UnsafeRawPointer, _ mask: Int, _ end: UnsafeRawPointer) {
    if mask != 0 { readable = smaller(readable, end - address) }
  }

  /// The lines of a folded group, with padding in the place of those that do not have a column.
  @inline(__always)
  func inside(_ column: Int, _ layout: InterleavedLayout, _ table: LineTable) -> LineGroup {
    let shift = layout.lineShift
    let has = { (line: Int) in
      let place = column &+ line &* shift
      return place >= 0 && place < layout.geometry.inputWidth
    }
    let padding = UnsafeRawPointer(table.padding)
    var lines = self
    if !has(0) { (lines.address0, lines.mask0) = (padding, 0) }
    if !has(1) { (lines.address1, lines.mask1) = (padding, 0) }
    if !has(2) { (lines.address2, lines.mask2) = (padding, 0) }
    if !has(3) { (lines.address3, lines.mask3) = (padding, 0) }
    return lines
  }

  /// Interleaves `count` bytes of every line; writes whole units.
  @inline(__always)
  func interleave(_ first: Int, count: Int, to target: UnsafeMutableRawPointer) {
    // Asked here, and not once for every unit.
    if isSigned {
      interleave(first, count: count, isSigned: true, to: target)
    } else {
      interleave(first, count: count, isSigned: false, to: target)
    }
  }

  @inline(__always)
  private func interleave(
    _ first: Int, count: Int, isSigned: Bool, to target: UnsafeMutableRawPointer
  ) {
    var offset = first
    var target = target
    var left = count
    while left >= unitChannels {
      unit(offset, isSigned: isSigned, to: target)
      offset &+= unitChannels
      target += unitChannels &* 4
      left &-= unitChannels
    }
    if left == 0 { return }
    if offset &+ unitChannels > readable {
      copyEnd(offset, count: left, to: target)
    } else if left > SumVector.scalarCount {
      unit(offset, isSigned: isSigned, to: target)
    } else {
      store(
        interleaved(
          address0 + (offset & mask0), address1 + (offset & mask1), address2 + (offset & mask2),
          address3 + (offset & mask3), isSigned: isSigned), to: target)
    }
  }

  @inline(__always)
  private func unit(_ offset: Int, isSigned: Bool, to target: UnsafeMutableRawPointer) {
    interleaveUnit(
      address0 + (offset & mask0), address1 + (offset & mask1), address2 + (offset & mask2),
      address3 + (offset & mask3), isSigned: isSigned, to: target)
  }

  /// Interleaves a copy of the last bytes, with room behind.
  @inline(never)
  private func copyEnd(_ offset: Int, count: Int, to target: UnsafeMutableRawPointer) {
    var lines = self
    lines.address0 = copied(address0, offset & mask0, count, line: 0)
    lines.address1 = copied(address1, offset & mask1, count, line: 1)
    if depthPerDot > 2 {
      lines.address2 = copied(address2, offset & mask2, count, line: 2)
      lines.address3 = copied(address3, offset & mask3, count, line: 3)
    }
    lines.unit(0, isSigned: isSigned, to: target)
  }

  @inline(__always)
  private func copied(
    _ address: UnsafeRawPointer, _ offset: Int, _ count: Int, line: Int
  ) -> UnsafeRawPointer {
    let copy = copies + line &* unitChannels
    copyBytes(address + offset, to: copy, count: count)
    return UnsafeRawPointer(copy)
  }
}
