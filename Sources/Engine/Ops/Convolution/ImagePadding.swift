import OcellusKernelABI

/// Zeros that a PAD puts around an image, which windows can provide without their being stored.
struct ImagePadding {
  let top: Int
  let left: Int
  /// The shape of the image before it is padded.
  let inputShape: Shape

  /// Takes the padding of the first operand's source, if that is a PAD of rows and columns with
  /// zeros.
  init?(sourceOf context: PlanContext) {
    guard let source = context.source(of: 0), let pad = source.operation as? Pad else { return nil }
    let padContext = source.context
    guard let inputShape = padContext.inputShapes[0], inputShape.rank == 4,
      let paddings = pad.paddings(padContext),
      paddings.before[0] + paddings.after[0] == 0, paddings.before[3] + paddings.after[3] == 0,
      case .integer(let background) = pad.background,
      let zero = Self.zero(of: context.node), background == zero
    else { return nil }
    (top, left) = (paddings.before[1], paddings.before[2])
    self.inputShape = inputShape
  }

  /// Whether a padded image begins with a zero.
  var isFirstInMemory: Bool { top > 0 || left > 0 }

  /// Returns the windows of a convolution and the shape that they move over: that of the image in
  /// front of a PAD, where the PAD can be fused.
  static func unpadded(
    _ windows: PatchGeometry, over input: Shape, _ arithmetic: WeightedArithmetic,
    _ context: PlanContext
  ) -> (windows: PatchGeometry, input: Shape, padding: ImagePadding?) {
    // Hybrid arithmetic quantizes each image by its range, which always contains zero. The elements
    // after the last group of eight are rounded differently, so the padding must not change which
    // ones they are.
    guard !arithmetic.isHybrid || input[3] % DynamicallyQuantizedInput.elementsAtOnce == 0,
      let padding = ImagePadding(sourceOf: context), let unpadded = windows.without(padding)
    else { return (windows, input, nil) }
    return (unpadded, padding.inputShape, padding)
  }

  /// Returns the element that a window reads outside its input.
  private static func zero(of node: NodeSpec) -> Int? {
    guard let input = node.optionalInput(0) else { return nil }
    return input.type == .float32 ? 0 : input.uniformZeroPoint
  }
}

extension PatchGeometry {
  /// Returns the same windows over the image without the padding; `nil` if some window would then
  /// cover no element of it.
  func without(_ padding: ImagePadding) -> PatchGeometry? {
    var geometry = self
    geometry.inputHeight = padding.inputShape[1]
    geometry.inputWidth = padding.inputShape[2]
    geometry.paddingTop += padding.top
    geometry.paddingLeft += padding.left
    return geometry.everyWindowMeetsInput ? geometry : nil
  }

  private var everyWindowMeetsInput: Bool {
    (windowHeight - 1) * dilationHeight >= paddingTop
      && (windowWidth - 1) * dilationWidth >= paddingLeft
      && (outputHeight - 1) * strideHeight - paddingTop < inputHeight
      && (outputWidth - 1) * strideWidth - paddingLeft < inputWidth
  }
}
