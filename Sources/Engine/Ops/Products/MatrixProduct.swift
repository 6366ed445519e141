import OcellusKernelABI

/// A product of patches of the input and constant weights, on the tuned kernels: what CONV_2D and
/// FULLY_CONNECTED are planned as.
struct MatrixProduct {
  /// The patches of one group.
  let patches: PatchGeometry
  /// The output pixels of all items of the batch.
  let rowCount: Int
  /// The items of the batch, each of which a hybrid product rounds by itself.
  let itemCount: Int
  /// The inputs of one item.
  let elementsPerItem: Int
  let outputChannels: Int
  /// The parts into which channels of input and output are divided.
  let groupCount: Int
  /// Whether output channels are the last dimension of the weights.
  var hasChannelsLast = false
  /// The padding of an image in front, which the patches have in its place.
  var padding: ImagePadding?

  var columnCount: Int { outputChannels / groupCount }

  /// Whether the pixels, or rows, are so few that a kernel packs weights for just these.
  func hasFewRows(for kernel: QuantizedGEMM) -> Bool {
    rowCount <= kernel.fewRows && patches.isPointwise
  }

  /// Whether weights of floats are laid out for a single row.
  var isOneRow: Bool { rowCount == 1 && patches.isPointwise }

  /// A step in the arithmetic that the node asks for, or `nil` if there is no kernel for it.
  func step(_ arithmetic: WeightedSum, _ context: PlanContext) -> Step? {
    guard var constants = ConstantWeights(context) else { return nil }
    if hasChannelsLast { constants.transposition = .channelsToFront }
    switch KernelArithmetic(arithmetic, constants, context, channels: outputChannels) {
    case .float(let range):
      var winograd = winograd(context)
      // What is infinite would show in products with the zeros of the padding, and in sums of weights.
      if patches.mayLeaveInput || winograd != nil, !constants.areFinite {
        if patches.mayLeaveInput { return nil }
        winograd = nil
      }
      let forOneRow = isOneRow ? context.kernels.floatRow : nil
      let panels = FloatPanels(
        kernel: winograd ?? forOneRow ?? context.kernels.floatGEMM, bias: constants.floatBias,
        range: range,
        numerics: context.numerics, pairedRows: winograd == nil ? nil : patches.winogradRows)
      return panelStep(panels, constants, context)
    case .int16(let arithmetic):
      let panels = Int16Panels(kernel: context.kernels.int16GEMM, arithmetic: arithmetic)
      return panelStep(panels, constants, context)
    case .bytes(let arithmetic):
      let kernel = context.kernels.quantizedGEMM
      let panels = QuantizedPanels(
        name: context.node.outputs[0].type.name, kernel: kernel, arithmetic: arithmetic,
        bias: constants.narrowBias, hasFewRows: hasFewRows(for: kernel))
      guard let winograd = winograd(arithmetic.filter, context) else {
        return panelStep(panels, constants, context)
      }
      return panelStep(
        WinogradPanels(bytes: panels, kernel: winograd, tileRows: patches.winogradRows),
        constants, context)
    case .hybrid(let hybrid):
      return hybridStep(hybrid, constants, context)
    case nil:
      return nil
    }
  }

  /// How threads share the rows of one group, or some of them.
  func grid(
    tileRows: Int, panelColumns: Int, threadCount: Int, rows: Int? = nil
  ) -> PartGrid {
    let rows = rows ?? rowCount
    return PartGrid(
      rows: rows, multipleOf: tileRows, columns: columnCount, multipleOf: panelColumns,
      multiplyAdds: saturatingProduct(rows, patches.depth, outputChannels),
      threadCount: threadCount)
  }
}
