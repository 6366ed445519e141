import OcellusKernelABI

/// A hybrid GEMM inside a larger step: rows of floats, each of which is rounded to bytes, times
/// constant 8-bit weights.
struct RecurrentHybridGEMM: Sendable {
  private let source: DynamicallyQuantizedInput
  private let panels: HybridPanels
  private let patches: PatchGeometry
  private let weights: PackedBlock
  /// The number of rows of weights, which is the number of results of each row of floats.
  private let columns: Int
  private let rowsPerCall: Int

  /// Plans for up to `rowCount` rows; the filter has a row of `depth` weights for each of the
  /// scales.
  init(
    _ context: PlanContext, _ purpose: String, rowCount: Int, depth: Int, _ weights: HybridWeights,
    bias: [Float], filter: @autoclosure @escaping () -> [Int8]
  ) {
    let patches = PatchGeometry(matrixOf: rowCount, depth: depth)
    let columns = weights.scales.count
    let chosen = context.chooseQuantizedGEMM(GEMMProblem(patches, rows: rowCount, columns: columns))
    let panels = HybridPanels(kernel: chosen.kernel, weights: weights, bias: bias)
    source = DynamicallyQuantizedInput(
      itemCount: rowCount, elementsPerItem: depth,
      rounding: weights.rounding,
      makesUnsigned: !chosen.kernel.prefersSignedRows, context)
    self.panels = panels
    self.patches = patches
    self.columns = columns
    rowsPerCall = WorkItemGrid.rowsPerCall(
      depth: depth, columns: columns, multipleOf: panels.tileRows(patches))
    self.weights = context.packedWeights(
      "\(purpose), \(chosen.choice.name)",
      byteCount: panels.packedByteCount(columns: columns, patches)
    ) { packed in
      filter().withUnsafeBytes { filter in
        guard let start = filter.baseAddress else { return }
        panels.pack(start, channels: Array(0..<columns), patches, to: packed)
      }
    }
  }

  var scratchByteCount: Int { source.scratchByteCount + panels.scratchByteCount(patches) }

  /// Multiplies `count` rows, which are contiguous.
  func multiply(
    _ input: UnsafeRawPointer, rows count: Int, to sums: UnsafeMutablePointer<Float>,
    scratch: UnsafeMutableRawPointer, workers: WorkersReference
  ) {
    let rounded = source.round(input, count: count, scratch: scratch, workers: workers)
    workers.forEachSlice(of: 0..<count, length: rowsPerCall) { rows in
      panels.run(
        PanelBlock(
          patches: patches, input: rounded.bytes, packed: weights.base,
          output: UnsafeMutableRawPointer(sums),
          outputStride: columns, rows: rows, columns: 0..<columns,
          epilogue: PanelRounding(rows: rounded.rows, stride: 1),
          scratch: scratch + source.scratchByteCount))
    }
  }
}
