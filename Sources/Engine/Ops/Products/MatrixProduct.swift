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
      let chosen = context.chooseForFloats(
        ProductProblem(patches, rows: rowCount, columns: columnCount), times: groupCount)
      let panels = FloatPanels(
        kernel: winograd ?? chosen.kernel, bias: constants.floatBias, range: range,
        numerics: context.numerics, isWinograd: winograd != nil)
      return panelStep(
        panels, as: winograd == nil ? chosen.choice : nil, constants, context)
    case .int16(let arithmetic):
      let panels = Int16Panels(kernel: context.kernels.int16GEMM, arithmetic: arithmetic)
      return panelStep(panels, constants, context)
    case .bytes(let arithmetic):
      let chosen = context.choose(
        byteProblem(
          arithmetic.filter, rows: arithmetic.input.rowBytes, results: arithmetic.results),
        times: groupCount)
      let panels = QuantizedPanels(
        name: context.node.outputs[0].type.name, kernel: chosen.kernel, arithmetic: arithmetic,
        bias: constants.narrowBias)
      return panelStep(panels, as: chosen.choice, constants, context)
    case .hybrid(let hybrid):
      return hybridStep(hybrid, constants, context)
    case nil:
      return nil
    }
  }

  /// One group, as strategies for bytes see it.
  func byteProblem(
    _ filter: QuantizedFormat, rows: ProductProblem.RowBytes, results: ProductProblem.Results
  ) -> ProductProblem {
    ProductProblem(
      patches, rows: rowCount, columns: columnCount, rowBytes: rows, filter: filter,
      results: results)
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
