import OcellusKernelABI
import OcellusModelFile

/// RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR: resample images `[batch, height, width, channels]`
/// to another height and width.
package struct Resize: Operator {
  enum Interpolation { case bilinear, nearestNeighbor }

  package static let bilinear = OperatorDefinition(
    "RESIZE_BILINEAR", versions: 1...4, types: [.float32, .int8, .uint8, .int16],
    resultType: .ofInput(0)
  ) { node throws(ModelError) in
    try Self(node, .bilinear, node.options(BuiltinOptionsTag.resizeBilinear), firstField: 2)
  }

  package static let nearestNeighbor = OperatorDefinition(
    "RESIZE_NEAREST_NEIGHBOR", versions: 1...4,
    types: [
      .float32, .float16, .bfloat16, .int8, .uint8, .bool, .int16, .uint16, .int32, .uint32,
    ], resultType: .ofInput(0)
  ) { node throws(ModelError) in
    let options = node.options(BuiltinOptionsTag.resizeNearestNeighbor)
    return try Self(node, .nearestNeighbor, options, firstField: 0)
  }

  package let shapeInputs = [1]
  let interpolation: Interpolation
  /// Whether the centres of the corner pixels keep their positions.
  let alignsCorners: Bool
  /// Whether positions count from the centres of pixels instead of their corners.
  let hasHalfPixelCenters: Bool
  /// Whether pixels are mixed as in XNNPACK: rows first, then columns.
  private(set) var isDelegated = false
  /// Whether floats are mixed with fused multiply-adds, as in XNNPACK on Arm.
  private(set) var fusesMixes = false

  init(
    _ node: NodeSpec, _ interpolation: Interpolation, _ options: OptionReader, firstField: Int
  ) throws(ModelError) {
    try node.requireOperands(2)
    try node.require(try node.input(1), .int32)
    alignsCorners = try options.bool(firstField)
    hasHalfPixelCenters = try options.bool(firstField + 1)
    try node.require(
      interpolation == .nearestNeighbor || !alignsCorners || !hasHalfPixelCenters,
      "half pixel centers and aligned corners exclude each other")
    self.interpolation = interpolation
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let input = context.shape(0)
    try context.require(input.rank == 4, "the input does not have four dimensions")
    try context.require(context.shape(1) == [2], "the size is not a height and a width")
    let size = try context.integers(1)
    let smallest = interpolation == .bilinear ? 1 : 0
    try context.require(
      size[0] >= smallest && size[1] >= smallest, "a size of \(size) is impossible")
    let output = Shape([input[0], size[0], size[1], input[3]])
    try context.require(
      output.dimensions.contains(0) || input[1] > 0 && input[2] > 0, "the input has no pixels")
    return [output]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let output = context.output(0)
    guard !output.bytes.isEmpty else { return }
    switch (interpolation, output.type) {
    case (.nearestNeighbor, _): try copyNearestNeighbors(context)
    case (.bilinear, .float32) where isDelegated && fusesMixes:
      try interpolate(
        context, of: Float.self, between: delegatedNeighbors, mix: Self.mixOfArmXNNPACK)
    case (.bilinear, .float32) where isDelegated:
      try interpolate(
        context, of: Float.self, between: delegatedNeighbors, mix: Self.mixOfXNNPACK)
    case (.bilinear, .uint8) where isDelegated:
      try interpolate(
        context, of: UInt8.self, between: delegatedFixedPointNeighbors, mix: Self.mixOfXNNPACK)
    case (.bilinear, .int8) where isDelegated:
      try interpolate(
        context, of: Int8.self, between: delegatedFixedPointNeighbors, mix: Self.mixOfXNNPACK)
    case (.bilinear, .float32):
      try interpolate(context, of: Float.self, between: floatNeighbors, mix: Self.mix)
    case (.bilinear, .uint8):
      try interpolate(context, of: UInt8.self, between: floatNeighbors) { corners, y, x in
        UInt8(saturating: Self.mix(corners.map(Float.init), y, x) + 0.5)
      }
    case (.bilinear, .int8):
      try interpolate(context, of: Int8.self, between: fixedPointNeighbors, mix: Self.mix)
    case (.bilinear, .int16):
      try interpolate(context, of: Int16.self, between: fixedPointNeighbors, mix: Self.mix)
    default: preconditionFailure("a type that the definition does not list")
    }
  }

  // MARK: Nearest neighbours

  private func copyNearestNeighbors(_ context: RunContext) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    guard let source = input.bytes.baseAddress, let target = output.bytes.baseAddress else {
      return
    }
    let pixelByteCount = output.shape[3] * (output.type.byteWidth ?? 1)
    let rowByteCount = input.shape[2] * pixelByteCount
    let (height, width) = (output.shape[1], output.shape[2])
    try context.withScratch(Int.self, count: width) { columns in
      for chunk in context.chunks(of: width) {
        for x in chunk {
          columns[x] = nearest(x, from: input.shape[2], to: width) * pixelByteCount
        }
      }
      // If the run was stopped, some columns are not set.
      if context.control.isOver { return }
      var pixel = target
      var question = StoppableWork(context.control)
      for row in 0..<output.shape[0] * height {
        let (image, y) = row.quotientAndRemainder(dividingBy: height)
        let sourceRow =
          source + (image * input.shape[1] + nearest(y, from: input.shape[1], to: height))
          * rowByteCount
        for column in columns {
          for bytes in StoppableChunks(ofBytes: pixelByteCount, context.control) {
            (pixel + bytes.lowerBound).copyMemory(
              from: sourceRow + column + bytes.lowerBound, byteCount: bytes.count)
          }
          pixel += pixelByteCount
          if question.isOver(after: 1 + pixelByteCount / 16) { return }
        }
      }
    }
  }

  func nearest(_ position: Int, from inputExtent: Int, to outputExtent: Int) -> Int {
    let coordinate =
      (Float(position) + (hasHalfPixelCenters ? 0.5 : 0))
      * scale(from: inputExtent, to: outputExtent)
    let rounded = coordinate.rounded(alignsCorners ? .toNearestOrAwayFromZero : .down)
    return min(max(Int(saturating: rounded), 0), inputExtent - 1)
  }

  /// Returns the number of input pixels per output pixel.
  func scale(from inputExtent: Int, to outputExtent: Int) -> Float {
    alignsCorners && outputExtent > 1
      ? Float(inputExtent - 1) / Float(outputExtent - 1) : Float(inputExtent) / Float(outputExtent)
  }
}

extension Resize: Delegable {
  func delegated(to processor: LiteRTProcessor) -> Self {
    var operation = self
    operation.isDelegated = interpolation == .bilinear
    operation.fusesMixes = processor == .neon
    return operation
  }
}
