import OcellusKernelABI

/// The layout of the interleaved input under a run of neighbouring output pixels, and its size.
///
/// Input rows are interleaved in groups of `depthPerDot`: a lane holds the vertically adjacent
/// elements of one column and channel, as `dot` takes them. Windows share interleaved columns, and
/// padding needs no special case later. If pixels share vectors, columns that are `strideWidth`
/// apart are stored next to each other, so that neighbouring windows are neighbouring vectors for
/// any stride; each phase of the stride has an array of its own.
struct InterleavedLayout {
  /// The geometry of the windows after folding: see `folded`.
  var geometry: PatchGeometry
  /// The shift between the rows of a group, in input columns: 0 unless windows are folded.
  var rowShift: Int
  var blocks: ChannelBlocks
  /// The number of row groups under a window.
  var groups: Int
  /// The row groups between a window and the one below, if they share the others; 0 if they share
  /// none.
  var groupStep: Int
  /// The number of column arrays per row group.
  var slots: Int
  /// The distance in columns between neighbouring windows of an array.
  var windowStep: Int
  /// The number of columns of an array that the last window needs beyond its first.
  var extraColumns: Int
  /// The number of output pixels that are prepared at once.
  var pixels: Int
  /// The size of a column in bytes.
  var columnBytes: Int
  var arrayBytes: Int
  /// Whether whole rows are interleaved first and their columns distributed to the arrays
  /// afterwards.
  ///
  /// Columns of few channels would otherwise be interleaved one at a time.
  var distributesColumns: Bool

  /// The size of a unit of `interleaveUnit`, which may be written past the end of an array.
  @inline(__always)
  private static var slack: Int { unitChannels &* 4 }

  /// The size of arrays that stays in the L1 cache beside weights and results.
  @inline(__always)
  private static var wantedBytes: Int { 24 * 1024 }

  @inline(__always)
  init(_ unfolded: PatchGeometry, _ blocks: ChannelBlocks) {
    let geometry = unfolded.folded
    self.geometry = geometry
    rowShift = unfolded.foldsColumns ? unfolded.dilationWidth : 0
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
    distributesColumns =
      slots > 1 && rowShift == 0 && dilation == 1 && blocks.slicesAreContiguous
      && geometry.pixelStride == blocks.channels
    arrayBytes = 0
    // Distributed columns are written in whole vectors.
    arrayBytes = roundUp(
      self.columns(of: pixels) &* columnBytes &+ (distributesColumns ? sumVectorBytes &- 1 : 0),
      to: 64)
  }

  /// Returns the number of columns of an array that `windows` windows need.
  @inline(__always)
  func columns(of windows: Int) -> Int { (windows &- 1) &* windowStep &+ 1 &+ extraColumns }

  /// The distance between neighbouring columns of an array, in input columns.
  @inline(__always)
  var columnStep: Int { windowStep == 1 ? geometry.strideWidth : 1 }

  @inline(__always)
  static func groups(_ windowHeight: Int) -> Int {
    (windowHeight &+ depthPerDot &- 1) / depthPerDot
  }

  /// Whether the input rows under the windows of two output rows fit the row groups of one.
  @inline(__always)
  static func pairsRows(_ windowHeight: Int) -> Bool {
    windowHeight > 1 && groups(windowHeight &+ 1) == groups(windowHeight)
  }

  /// The number of row groups under the windows of two output rows.
  @inline(__always)
  var allGroups: Int { groups &+ groupStep }

  @inline(__always)
  var byteCount: Int {
    arraysByteCount &+ (distributesColumns ? inputColumns(of: pixels) &* columnBytes : 0)
      &+ InterleavedLayout.slack
  }

  /// The size of all arrays in bytes.
  @inline(__always)
  var arraysByteCount: Int { slots &* allGroups &* arrayBytes }

  /// Returns the input columns that are distributed for `windows` windows.
  @inline(__always)
  func inputColumns(of windows: Int) -> Int {
    (columns(of: windows) &- 1) &* columnStep &+ slots
  }

  /// Returns the offset of the vectors under a column of the window from those under the first
  /// column.
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

/// The interleaving of input rows.
struct InterleavedRows {
  var layout: InterleavedLayout
  var padding: QuantizedElements
  /// The arrays of `layout`.
  var arrays: UnsafeMutableRawPointer
  var table: InputRowTable

  /// Interleaves a slice of channels under the windows of `count` output pixels from `x` on.
  @inline(never)
  func prepare(x: Int, count: Int, channel: Int, channels: Int, groups: Int) {
    if layout.distributesColumns { return distributeColumns(x: x, count: count, groups: groups) }
    let geometry = layout.geometry
    let stride = layout.columnStep
    let columns = layout.columns(of: count)
    // The shift of the last row of a group.
    let reach = (depthPerDot &- 1) &* layout.rowShift
    for slot in 0..<layout.slots {
      let column =
        x &* geometry.strideWidth &- geometry.paddingLeft &+ slot &* geometry.dilationWidth
      // The boundaries between columns that only some rows have, that all rows have, and again only
      // some.
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

  /// Interleaves all channels of whole rows, and distributes their columns to the arrays.
  private func distributeColumns(x: Int, count: Int, groups: Int) {
    let geometry = layout.geometry
    let stride = layout.columnStep, columns = layout.columns(of: count)
    let left = x &* geometry.strideWidth &- geometry.paddingLeft
    let start = larger(left, 0)
    let end = smaller(left &+ layout.inputColumns(of: count), geometry.inputWidth)
    let wholeRows = arrays + layout.arraysByteCount
    for group in 0..<groups {
      if end > start {
        InputRowGroup(table, group, isSigned: padding.isSigned).interleave(
          start &* geometry.pixelStride, count: (end &- start) &* geometry.pixelStride,
          to: wholeRows)
      }
      for slot in 0..<layout.slots {
        let column = left &+ slot
        let first = smaller(columnsUpTo(0, from: column, by: stride), columns)
        let last = larger(
          smaller(columnsUpTo(geometry.inputWidth, from: column, by: stride), columns), first)
        let array = arrays + (slot &* layout.allGroups &+ group) &* layout.arrayBytes
        pad(array, count: first)
        deal(
          wholeRows + (column &+ first &* stride &- start) &* layout.columnBytes,
          count: last &- first,
          to: array + first &* layout.columnBytes)
        pad(array + last &* layout.columnBytes, count: columns &- last)
      }
    }
  }

  /// Copies columns that are a stride apart, in whole vectors.
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

  /// Returns how many of the columns from `column` on are before `limit`.
  @inline(__always)
  private func columnsUpTo(_ limit: Int, from column: Int, by stride: Int) -> Int {
    let columns = limit &- column
    // With a single window per image, as in streaming models, a division takes longer than the
    // sums.
    return larger(stride == 1 ? columns : (columns &+ stride &- 1) / stride, 0)
  }

  /// A range of columns and channels of a row.
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
    let rows = InputRowGroup(table, group, isSigned: padding.isSigned)
    var offset = run.column &* geometry.pixelStride &+ run.channel
    if layout.blocks.slicesAreContiguous && layout.columnStep == 1 {
      rows.interleave(offset, count: run.count &* run.channels, to: target)
      return
    }
    let step = layout.columnStep &* geometry.pixelStride
    var target = target
    for _ in 0..<run.count {
      rows.interleave(offset, count: run.channels, to: target)
      offset &+= step
      target += layout.columnBytes
    }
  }

  /// Interleaves, one by one, the columns that only some rows of a folded group have.
  @inline(__always)
  private func interleaveEdge(_ run: ColumnRun, _ group: Int, to target: UnsafeMutableRawPointer) {
    guard run.count > 0 else { return }
    let geometry = layout.geometry
    let rows = InputRowGroup(table, group, isSigned: padding.isSigned)
    var column = run.column
    var target = target
    for _ in 0..<run.count {
      rows.inside(column, layout, table).interleave(
        column &* geometry.pixelStride &+ run.channel, count: run.channels, to: target)
      column &+= layout.columnStep
      target += layout.columnBytes
    }
  }
}

extension PatchGeometry {
  /// Whether windows of a single row are folded.
  ///
  /// Neighbouring columns then replace rows: otherwise only one of a lane's elements would be used.
  @inline(__always)
  var foldsColumns: Bool { windowHeight == 1 && windowWidth > 1 }

  /// The geometry after folding: `depthPerDot` rows, each shifted one column to the right of the
  /// row above.
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

/// The addresses of the input rows under the windows of one or two output rows, in scratch memory.
struct InputRowTable {
  private var addresses: UnsafeMutablePointer<UnsafeRawPointer>
  /// The mask of the column offset: all ones, or zero for rows outside the input, whose columns all
  /// read the same pixel of padding.
  private var masks: UnsafeMutablePointer<Int>
  /// A unit of channels of padding.
  fileprivate var padding: UnsafeMutableRawPointer
  /// Scratch for a unit of channels of every row of a group.
  fileprivate var copies: UnsafeMutableRawPointer
  /// The end of the image.
  fileprivate var end: UnsafeRawPointer

  static func byteCount(groups: Int) -> Int {
    roundUp(groups * depthPerDot * 16 + (1 + depthPerDot) * unitChannels, to: 64)
  }

  @inline(__always)
  init(groups: Int, _ format: QuantizedFormat, in scratch: UnsafeMutableRawPointer) {
    let rows = groups &* depthPerDot
    addresses = scratch.assumingMemoryBound(to: UnsafeRawPointer.self)
    masks = (scratch + rows &* 8).assumingMemoryBound(to: Int.self)
    padding = scratch + rows &* 16
    copies = padding + unitChannels
    end = UnsafeRawPointer(scratch)
    let zero = UInt8(truncatingIfNeeded: format.zeroPoint)
    for lane in 0..<unitChannels { store(zero, to: padding + lane) }
  }

  /// Stores the addresses of `count` input rows, the first of which is `top`.
  @inline(__always)
  mutating func find(
    _ layout: InterleavedLayout, _ image: UnsafeRawPointer, top: Int, count: Int
  ) {
    let geometry = layout.geometry
    let rowBytes = geometry.inputWidth &* geometry.pixelStride
    let shiftBytes = layout.rowShift &* geometry.pixelStride
    end = image + geometry.inputHeight &* rowBytes
    for row in 0..<layout.allGroups &* depthPerDot {
      // Rows that pad a group have weights of zero, so any row will do.
      let y = top &+ (row < count ? row &* geometry.dilationHeight : 0)
      let isInside = y >= 0 && y < geometry.inputHeight
      addresses[row] =
        isInside ? image + (y &* rowBytes &+ row &* shiftBytes) : UnsafeRawPointer(padding)
      masks[row] = isInside ? -1 : 0
    }
  }

  @inline(__always)
  fileprivate func row(_ index: Int) -> (UnsafeRawPointer, Int) { (addresses[index], masks[index]) }
}

/// The rows of one group.
private struct InputRowGroup {
  var address0, address1, address2, address3: UnsafeRawPointer
  var mask0, mask1, mask2, mask3: Int
  /// The number of bytes that may be loaded of every row.
  var readable: Int
  /// Scratch for a unit of bytes of every row.
  var copies: UnsafeMutableRawPointer
  var isSigned: Bool

  @inline(__always)
  init(_ table: InputRowTable, _ group: Int, isSigned: Bool) {
    let first = group &* depthPerDot
    (address0, mask0) = table.row(first)
    (address1, mask1) = table.row(first &+ 1)
    (address2, mask2) = table.row(depthPerDot > 2 ? first &+ 2 : first)
    (address3, mask3) = table.row(depthPerDot > 2 ? first &+ 3 : first)
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

  /// Returns the rows of a folded group, with padding in place of rows that do not have the column.
  @inline(__always)
  func inside(_ column: Int, _ layout: InterleavedLayout, _ table: InputRowTable) -> InputRowGroup {
    let shift = layout.rowShift
    let has = { (row: Int) in
      let inputColumn = column &+ row &* shift
      return inputColumn >= 0 && inputColumn < layout.geometry.inputWidth
    }
    let padding = UnsafeRawPointer(table.padding)
    var rows = self
    if !has(0) { (rows.address0, rows.mask0) = (padding, 0) }
    if !has(1) { (rows.address1, rows.mask1) = (padding, 0) }
    if !has(2) { (rows.address2, rows.mask2) = (padding, 0) }
    if !has(3) { (rows.address3, rows.mask3) = (padding, 0) }
    return rows
  }

  /// Interleaves `count` bytes of every row; writes whole units.
  @inline(__always)
  func interleave(_ first: Int, count: Int, to target: UnsafeMutableRawPointer) {
    // The branch is here so that it is not taken once per unit.
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

  /// Interleaves the last bytes from a copy with slack after it.
  @inline(never)
  private func copyEnd(_ offset: Int, count: Int, to target: UnsafeMutableRawPointer) {
    var rows = self
    rows.address0 = copied(address0, offset & mask0, count, row: 0)
    rows.address1 = copied(address1, offset & mask1, count, row: 1)
    if depthPerDot > 2 {
      rows.address2 = copied(address2, offset & mask2, count, row: 2)
      rows.address3 = copied(address3, offset & mask3, count, row: 3)
    }
    rows.unit(0, isSigned: isSigned, to: target)
  }

  @inline(__always)
  private func copied(
    _ address: UnsafeRawPointer, _ offset: Int, _ count: Int, row: Int
  ) -> UnsafeRawPointer {
    let copy = copies + row &* unitChannels
    copyBytes(address + offset, to: copy, count: count)
    return UnsafeRawPointer(copy)
  }
}
