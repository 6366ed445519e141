import OcellusModelFile

/// TransformTensorBilinear: samples a region of an image that is rotated and scaled by a matrix.
///
/// This is a custom operator of MediaPipe, for regions of a face that have their own networks.
package struct TransformTensorBilinear: Operator {
  package static let definition = OperatorDefinition(
    "TransformTensorBilinear", versions: 2...2, types: [.float32],
    make: { node throws(ModelError) in try Self(node) })

  private let height: Int
  private let width: Int

  private init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(2)
    try node.require(try node.input(1), .float32)
    try node.require(try node.output(0), .float32)
    let options = try node.flexOptions()
    (height, width) = (
      Int(options["output_height"].integer), Int(options["output_width"].integer)
    )
    try node.require(height > 0 && width > 0, "a part of \(width)x\(height) pixels is impossible")
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(shape.rank == 4 && shape[0] == 1, "the input must be one image")
    try PlaneTransform.require(1, of: context)
    return [[1, height, width, shape[3]]]
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    saturatingProduct(height, width, context.shape(0)[3], 4)
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    var transform = PlaneTransform(context.input(1))
    transform.convertToPixelCorners()
    let image = SampledImage(input)
    let results = output.values(Float.self)
    var next = 0
    for y in 0..<height {
      try context.checkpoint()
      for pixels in context.chunks(of: width, workOfEach: 8 + 8 * input.shape[3]) {
        for x in pixels {
          let source = transform(Float(x), Float(y))
          forEachChunk(of: input.shape[3], workOfEach: 8, context.control) { channels in
            for channel in channels {
              results[next] = image.value(atX: source.x, y: source.y, channel)
              next += 1
            }
          }
        }
      }
    }
  }
}

/// An image with bilinear interpolation between pixels and zeros outside.
private struct SampledImage {
  private let values: UnsafeMutableBufferPointer<Float>
  private let height: Int
  private let width: Int
  private let channelCount: Int

  init(_ image: TensorView) {
    values = image.values()
    (height, width, channelCount) = (image.shape[1], image.shape[2], image.shape[3])
  }

  /// Returns the bilinear mean of the four pixels around a position; zero outside the image.
  ///
  /// Some products are in double precision, as in MediaPipe.
  func value(atX x: Float, y: Float, _ channel: Int) -> Float {
    guard x >= 0, x <= Float(width - 1), y >= 0, y <= Float(height - 1) else { return 0 }
    let (left, top) = (Int(x), Int(y))
    let (right, lower) = (x - Float(left), y - Float(top))
    let upperValue = Self.mix(
      pixel(left, top, channel), pixel(left + 1, top, channel), by: right)
    let lowerValue = Self.mix(
      pixel(left, top + 1, channel), pixel(left + 1, top + 1, channel), by: right)
    return Self.mix(upperValue, lowerValue, by: lower)
  }

  private func pixel(_ x: Int, _ y: Int, _ channel: Int) -> Float {
    x < width && y < height ? values[(y * width + x) * channelCount + channel] : 0
  }

  private static func mix(_ first: Float, _ second: Float, by share: Float) -> Float {
    Float((1 - Double(share)) * Double(first) + Double(share * second))
  }
}
