import OcellusKernelABI

/// A GEMM of input patches with constant weights on the tuned kernels: the plan of CONV_2D and
/// FULLY_CONNECTED.
struct MatrixMultiplication {
  /// The patches of one group.
  let patches: PatchGeometry
  /// The number of output pixels of all items of the batch.
  let rowCount: Int
  /// The number of items in the batch, each of which a hybrid GEMM quantizes by its own range.
  let itemCount: Int
  /// The number of inputs of one item.
  let elementsPerItem: Int
  let outputChannels: Int
  /// The number of groups into which input and output channels are divided.
  let groupCount: Int
  /// Whether output channels are the last dimension of the weights.
  var hasChannelsLast = false
  /// The padding of a fused PAD, which is part of `patches`.
  var padding: ImagePadding?

  var columnCount: Int { outputChannels / groupCount }

  /// Returns a step in the arithmetic that the node asks for, or `nil` if there is no kernel for
  /// it.
  func step(_ arithmetic: WeightedArithmetic, _ context: PlanContext) -> Step? {
    guard var constants = ConstantWeights(context) else { return nil }
    if hasChannelsLast { constants.transposition = .channelsToFront }
    switch KernelArithmetic(arithmetic, constants, context, channels: outputChannels) {
    case .float(let range):
      var winograd = winograd(context)
      // Infinite weights would make NaN with the zeros of padding and in Winograd's sums of
      // weights.
      if patches.mayLeaveInput || winograd != nil,
        !constants.areFinite(asBFloat16: context.multipliesBFloat16)
      {
        if patches.mayLeaveInput { return nil }
        winograd = nil
      }
      let chosen = context.chooseRoundableGEMM(
        [GEMMProblem(patches, rows: rowCount, columns: columnCount)], times: groupCount)
      let panels = FloatPanels(
        kernel: winograd ?? chosen.kernel, bias: constants.floatBias, range: range,
        numerics: context.numerics, isWinograd: winograd != nil,
        multipliesBFloat16: context.multipliesBFloat16)
      return panelStep(
        panels, as: winograd == nil ? chosen.choice : nil, constants, context)
    case .int16(let arithmetic):
      let panels = Int16Panels(kernel: context.kernels.int16GEMM, arithmetic: arithmetic)
      return panelStep(panels, constants, context)
    case .bytes(let arithmetic):
      let chosen = context.chooseQuantizedGEMM(
        byteProblem(
          arithmetic.filter, rows: arithmetic.input.rowBytes, results: arithmetic.results),
        times: groupCount)
      let panels = QuantizedPanels(
        name: context.node.outputs[0].type.name, kernel: chosen.kernel, arithmetic: arithmetic,
        bias: constants.bias32)
      return panelStep(panels, as: chosen.choice, constants, context)
    case .hybrid(let hybrid):
      return hybridStep(hybrid, constants, context)
    case nil:
      return nil
    }
  }

  /// Returns the problem of one group for strategies of quantized GEMM.
  func byteProblem(
    _ filter: QuantizedFormat, rows: GEMMProblem.RowBytes, results: GEMMProblem.Results
  ) -> GEMMProblem {
    GEMMProblem(
      patches, rows: rowCount, columns: columnCount, rowBytes: rows, filter: filter,
      results: results)
  }

  // Not taken: dividing by columns where there are more of them than rows (two threads:
  // mobilenet_v2 3 % faster, face_blendshapes 9 % slower).
  /// Returns the division of one group's rows, or of some of them, among threads.
  func grid(
    tileRows: Int, panelColumns: Int, threadCount: Int, rows: Int? = nil
  ) -> WorkItemGrid {
    let rows = rows ?? rowCount
    return WorkItemGrid(
      rows: rows, multipleOf: tileRows, columns: columnCount, multipleOf: panelColumns,
      multiplyAdds: saturatingProduct(rows, patches.depth, outputChannels),
      threadCount: threadCount)
  }
}
