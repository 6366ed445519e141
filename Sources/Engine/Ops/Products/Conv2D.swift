import OcellusKernelABI
import OcellusModelFile

/// CONV_2D: every output channel is the sum of a window of the input, weighted; with groups, of a
/// part of the channels.
package struct Conv2D: WindowedSum {
  package static let definition = OperatorDefinition(
    "CONV_2D", versions: 1...8, types: [.float32, .uint8, .int8, .int16],
    make: { node throws(ModelError) in try Self(node) })

  package let window: WindowOptions
  package let arithmetic: WeightedSum

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(3)
    let (input, weights) = (try node.input(0), try node.input(1))
    let (bias, output) = (try node.input(2), try node.output(0))
    try node.require(input, .float32, .uint8, .int8, .int16)
    try node.require(
      input.type == output.type, "input is \(input.type.name), output is \(output.type.name)")
    let options = node.options(BuiltinOptionsTag.conv2D)
    window = try WindowOptions(options, firstDilationField: 4)
    let activation = try FusedActivation(options, field: 3)
    switch (input.type, weights.type) {
    case (.float32, .float32):
      try node.require(bias, .float32)
      arithmetic = .float(activation.floatRange)
    case (.float32, _):
      try node.require(weights, .int8, .int4, .uint8)
      try node.require(bias, .float32)
      arithmetic = .hybrid(Self.hybridWeights(weights, activation))
    default:
      arithmetic = .quantized(
        try Self.requantization(
          node, activation: activation,
          sumType: try node.sumType(options, field: 6, input: input, bias: bias)))
    }
  }

  /// Weights whose scales differ meet inputs that are rounded asymmetrically, whatever else
  /// the options say; old `uint8` weights never do.
  private static func hybridWeights(
    _ weights: TensorSpec, _ activation: FusedActivation
  ) -> HybridWeights {
    let scales = weights.quantization?.scales ?? []
    let first = scales.first ?? 0
    let isPerChannel = weights.type != .uint8 && scales.contains { $0 != first }
    return HybridWeights(
      scales: isPerChannel ? scales : [first], roundsAsymmetrically: isPerChannel,
      order: isPerChannel ? .sumAndColumn : .scales, range: activation.floatRange)
  }

  private static func requantization(
    _ node: NodeSpec, activation: FusedActivation, sumType: ElementType
  ) throws(ModelError) -> Requantization {
    let (input, weights) = (try node.input(0), try node.input(1))
    let (bias, output) = (try node.input(2), try node.output(0))
    try node.requireWeightTypes(input: input, weights: weights)
    try node.requireBiasType(bias, input: input)
    if input.type == .int16 { try node.requireSymmetric(input, output) }
    if input.type == .uint8 {
      try node.requireBiasScale(of: bias, input: input, weights: weights, output: output)
    } else {
      try node.requireSymmetric(weights)
    }
    return try Requantization(
      input: input, weights: weights, output: output, activation: activation,
      rounding: input.type == .uint8 ? .fixedPointFromSinglePrecision : .fixedPoint,
      sumType: sumType, node: node)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (input, weights) = (context.shape(0), context.shape(1))
    try context.require(input, weights, ofRank: 4)
    let groupCount = input[3] / weights[3]
    try context.require(
      input[3] % weights[3] == 0 && weights[0] % groupCount == 0,
      "channels of input and weights do not match")
    try context.requireChannels(weights[0], bias: 2, arithmetic)
    return [try outputShape(input: input, weights: weights, channels: weights[0], context)]
  }

  package func step(_ arithmetic: WeightedSum, _ context: PlanContext) -> Step? {
    guard let input = context.inputShapes[0], let weights = context.inputShapes[1],
      let geometry = geometry(input: input, weights: weights)
    else { return nil }
    let (patches, _, isUnpadded) = ImagePadding.unpadded(
      PatchGeometry(geometry, channels: weights[3], pixelStride: input[3]), over: input,
      arithmetic, context)
    let product = MatrixProduct(
      patches: patches, rowCount: context.outputShapes[0].elementCount / weights[0],
      itemCount: input[0],
      elementsPerItem: input.elementCount / input[0], outputChannels: weights[0],
      groupCount: input[3] / weights[3])
    let step = product.step(arithmetic, context)
    return isUnpadded ? step?.absorbing(0) : step
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, weights, output) = (context.input(0), context.input(1), context.output(0))
    guard output.elementCount > 0,
      let geometry = geometry(input: input.shape, weights: weights.shape)
    else { return }
    var arithmetic = arithmetic
    let loop = ConvolutionLoop(
      geometry: geometry, inputChannels: input.shape[3], outputChannels: weights.shape[0],
      channelsPerGroup: weights.shape[3], control: context.control)
    if case .hybrid(var hybrid) = arithmetic, loop.groupCount > 1 {
      // The official kernel has grouped hybrid convolutions in its per-channel variant only.
      hybrid.roundsAsymmetrically = true
      hybrid.order = .sumAndColumn
      arithmetic = .hybrid(hybrid)
    }
    try arithmetic.run(
      loop,
      WeightedOperands(
        input: input, weights: weights, bias: context.input(2), output: output,
        batchCount: input.shape[0], inputsPerItem: input.elementCount / input.shape[0],
        channelCount: weights.shape[0]),
      context)
  }
}

/// The convolution of one image with weights of the shape `[output channels, rows, columns,
/// channels of a group]`.
private struct ConvolutionLoop: ProductLoop {
  let geometry: WindowGeometry
  let inputChannels: Int
  let outputChannels: Int
  let channelsPerGroup: Int
  let control: RunControl

  var groupCount: Int { inputChannels / channelsPerGroup }

  func run<Arithmetic: Products, Stage: OutputStage>(
    _ products: Arithmetic, _ stage: Stage,
    input: UnsafeBufferPointer<Arithmetic.Input>,
    weights: UnsafeBufferPointer<Arithmetic.Weight>,
    output: UnsafeMutableBufferPointer<Stage.Output>
  ) where Stage.Sum == Arithmetic.Sum {
    guard let input = input.baseAddress, let weights = weights.baseAddress else { return }
    let (rows, columns) = (geometry.rows, geometry.columns)
    let outputsPerGroup = outputChannels / groupCount
    var position = 0
    for row in 0..<rows.outputExtent where !control.isOver {
      for column in 0..<columns.outputExtent {
        let window = PlacedWindow(
          rowTaps: rows.taps(at: row), columnTaps: columns.taps(at: column),
          rowOrigin: rows.origin(of: row), columnOrigin: columns.origin(of: column))
        for group in 0..<groupCount {
          for first in stride(from: 0, to: outputsPerGroup, by: 4) {
            let channel = group * outputsPerGroup + first
            let count = min(outputsPerGroup - first, 4)
            let sums = sums(
              products, input + group * channelsPerGroup, weights, channel: channel, count: count,
              window)
            for offset in 0..<count {
              output[position + channel + offset] = stage.output(
                sums[offset], channel: channel + offset)
            }
          }
        }
        position += outputChannels
      }
    }
  }
  /// The taps that lie inside the input at one position, and where the first tap is.
  private struct PlacedWindow {
    var rowTaps: Range<Int>
    var columnTaps: Range<Int>
    var rowOrigin: Int
    var columnOrigin: Int
  }

  /// The sums of up to four neighbouring channels at one position.
  @inline(__always)
  private func sums<Arithmetic: Products>(
    _ products: Arithmetic, _ input: UnsafePointer<Arithmetic.Input>,
    _ weights: UnsafePointer<Arithmetic.Weight>, channel: Int, count: Int, _ window: PlacedWindow
  ) -> FourSums<Arithmetic.Sum> {
    let (rows, columns) = (geometry.rows, geometry.columns)
    // Neighbouring taps of a dense window are neighbours in memory too.
    let isDense = columns.dilation == 1 && groupCount == 1
    let runs = isDense ? window.columnTaps.prefix(1) : window.columnTaps
    let runLength = isDense ? window.columnTaps.count * channelsPerGroup : channelsPerGroup
    let weightsPerChannel = rows.tapCount * columns.tapCount * channelsPerGroup
    var sums = FourSums(repeating: Arithmetic.zero)
    for rowTap in window.rowTaps {
      let line = (window.rowOrigin + rowTap * rows.dilation) * columns.inputExtent
      for columnTap in runs {
        let pixel = line + window.columnOrigin + columnTap * columns.dilation
        let tap = rowTap * columns.tapCount + columnTap
        products.add(
          input + pixel * inputChannels,
          times: weights + channel * weightsPerChannel + tap * channelsPerGroup,
          rows: count, apart: weightsPerChannel, count: runLength, to: &sums)
      }
    }
    return sums
  }
}
