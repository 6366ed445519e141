import OcellusKernelABI

/// A random block of a GEMM over patches: windows, groups, images, and the range of its results.
struct DrawnGEMM {
  /// The most multiply-adds of a problem, so that many problems run per second.
  private static let mostProducts = 400_000

  var patches: PatchGeometry
  var images: Int
  var groups: Int
  var columns: Int
  /// The rows that are computed.
  var rows: Range<Int>
  var computedColumns: Range<Int>
  /// Whether image rows are computed in pairs, so that one more than requested may be written.
  let makesPairs: Bool
  /// The group that is computed; mostly the last one, whose pixels end where the tensor does.
  var group: Int

  var allRows: Int { images * patches.outputHeight * patches.outputWidth }
  var inputCount: Int { images * patches.inputHeight * patches.inputWidth * patches.pixelStride }
  /// The number of elements in front of the group's first one.
  var inputOffset: Int { group * patches.channels }
  var outputStride: Int { groups * columns }

  init(
    _ operands: GuardedOperands, panelColumns: Int, patches: PatchGeometry, wholeLines: Bool = false
  ) {
    makesPairs = wholeLines
    groups = operands.bool() ? 1 : operands.number(2...4)
    group = operands.bool() ? groups - 1 : operands.number(0...groups - 1)
    images = operands.number(1...3)
    self.patches = patches
    self.patches.pixelStride = groups * patches.channels
    let lines = images * patches.outputHeight
    let perColumn = lines * patches.outputWidth * max(patches.depth, 1)
    columns = min(
      operands.size("columns", 1...130), max(1, Self.mostProducts / max(perColumn, 1)))
    let unit = wholeLines ? patches.outputWidth : 1
    let count = lines * patches.outputWidth / unit
    rows = 0..<count * unit
    computedColumns = 0..<columns
    if operands.bool() {
      let first = operands.number(0...count - 1)
      rows = first * unit..<operands.number(first + 1...count) * unit
      let panels = (columns + panelColumns - 1) / panelColumns
      let firstPanel = operands.number(0...panels - 1)
      computedColumns =
        firstPanel
        * panelColumns..<min(columns, operands.number(firstPanel + 1...panels) * panelColumns)
    }
    operands.note(
      """
      \(self.patches.description)/\(patches.windowWidth), left \(patches.paddingLeft), dilation \
      \(patches.dilationWidth), to \(patches.outputHeight)×\(patches.outputWidth), \(images) images, group \(group) of \
      \(groups), \(columns) columns, rows \(rows), columns \(computedColumns)
      """)
  }

  /// Returns the address of the first of all results, with memory for the computed ones only.
  func output(_ operands: GuardedOperands, elementBytes: Int) -> UnsafeMutableRawPointer {
    let rows = makesPairs ? 0..<allRows : rows
    let first = rows.lowerBound * outputStride + computedColumns.lowerBound
    let end = (rows.upperBound - 1) * outputStride + computedColumns.upperBound
    return operands.result("output", byteCount: (end - first) * elementBytes) - first * elementBytes
  }

  /// Returns the block with its memory.
  func block<Epilogue>(
    _ operands: GuardedOperands, input: UnsafeRawPointer, elementBytes: Int, resultBytes: Int,
    packed: UnsafeRawPointer, scratchByteCount: Int, epilogue: Epilogue
  ) -> GEMMBlock<Epilogue> {
    GEMMBlock(
      patches: patches, input: input + inputOffset * elementBytes, packed: packed,
      output: output(operands, elementBytes: resultBytes), outputStride: outputStride, rows: rows,
      columns: computedColumns, epilogue: epilogue,
      scratch: operands.scratch("scratch", byteCount: scratchByteCount))
  }
}

extension GuardedOperands {
  /// Windows with random extents, strides, dilations and padding over an image of 1 to 70 columns.
  func windows(channels: Int) -> PatchGeometry {
    if number(0...5) == 0 {
      return number(0...1) == 0
        ? PatchGeometry(matrixOf: number(1...40), depth: channels)
        : PatchGeometry(inputHeight: number(1...6), inputWidth: number(1...70), channels: channels)
    }
    let isLong = bool()
    var patches = PatchGeometry(
      inputHeight: number(1...(isLong ? 4 : 9)), inputWidth: number(1...(isLong ? 70 : 12)),
      channels: channels)
    (patches.windowHeight, patches.windowWidth) = bool() ? (3, 3) : (number(1...5), number(1...5))
    (patches.strideHeight, patches.strideWidth) = bool() ? (1, 1) : (number(1...3), number(1...3))
    (patches.dilationHeight, patches.dilationWidth) =
      number(0...2) > 0 ? (1, 1) : (number(1...3), number(1...3))
    let reach = (
      (patches.windowHeight - 1) * patches.dilationHeight + 1,
      (patches.windowWidth - 1) * patches.dilationWidth + 1
    )
    (patches.paddingTop, patches.paddingLeft) =
      bool() ? (0, 0) : (number(0...reach.0 - 1), number(0...reach.1 - 1))
    patches.outputHeight =
      max(0, patches.inputHeight + patches.paddingTop + (bool() ? 0 : reach.0 / 2) - reach.0)
      / patches.strideHeight + 1
    patches.outputWidth =
      max(0, patches.inputWidth + patches.paddingLeft + (bool() ? 0 : reach.1 / 2) - reach.1)
      / patches.strideWidth + 1
    return patches
  }

  /// 3×3 windows that Winograd's method accepts.
  func winogradWindows(channels: Int) -> PatchGeometry {
    let dilation = number(0...2) > 0 ? 1 : number(2...3)
    return winogradGeometry(
      number(2 * dilation...9), number(2 * dilation...23), channels: channels,
      padding: number(0...dilation), dilation: dilation)
  }
}
