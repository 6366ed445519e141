/// The hybrid convolution that scales every product, with two roundings, before adding it: the
/// arithmetic of the official TRANSPOSE_CONV.
public struct ScaledProducts: Sendable {
  /// The alignment of columns: weights, scales and biases are padded to a multiple of it.
  public var panelColumns: Int
  /// Computes a range of pixels.
  public var run: @Sendable (ScaledProductArguments) -> Void

  /// Creates the entry from its function.
  public init(panelColumns: Int, run: @escaping @Sendable (ScaledProductArguments) -> Void) {
    self.panelColumns = panelColumns
    self.run = run
  }
}

/// A contiguous segment of the input and the position of its weights.
@frozen public struct ScaledProductSegment: Sendable {
  /// The index of the first element in the input.
  public var input: Int
  /// The weight row of the first element.
  public var weightRow: Int

  /// Creates a segment.
  public init(input: Int, weightRow: Int) {
    self.input = input
    self.weightRow = weightRow
  }
}

/// The operands of a range of output pixels.
@frozen public struct ScaledProductArguments {
  /// The quantized input less its zero point: whole numbers, as floats.
  public var input: UnsafePointer<Float>
  /// The scale of the input, applied to each product last.
  public var scale: Float
  /// The input segments of the first pixel, in the order of summation.
  public var runs: UnsafeBufferPointer<ScaledProductSegment>
  /// The number of elements in each segment.
  public var runLength: Int
  /// The distance between the segments of neighbouring pixels, in elements.
  public var inputStride: Int
  /// One row of columns for every element of a segment: whole numbers, as floats.
  public var weights: UnsafePointer<Float>
  /// The scale of each column's weights, applied to each product first.
  public var scales: UnsafePointer<Float>
  /// The bias of each column, or -0 where there is none.
  public var bias: UnsafePointer<Float>
  /// The number of output columns.
  public var columns: Int
  /// The lower end of the activation's range; NaN passes.
  public var minimum: Float
  /// The upper end of the activation's range; NaN passes.
  public var maximum: Float
  /// The number of output pixels.
  public var pixels: Int
  /// The first output pixel.
  public var output: UnsafeMutableRawPointer
  /// The distance between output pixels, in floats.
  public var outputStride: Int

  /// Creates the arguments.
  public init(
    input: UnsafePointer<Float>, scale: Float, runs: UnsafeBufferPointer<ScaledProductSegment>,
    runLength: Int, inputStride: Int, weights: UnsafePointer<Float>, scales: UnsafePointer<Float>,
    bias: UnsafePointer<Float>, columns: Int, minimum: Float, maximum: Float, pixels: Int,
    output: UnsafeMutableRawPointer, outputStride: Int
  ) {
    self.input = input
    self.scale = scale
    self.runs = runs
    self.runLength = runLength
    self.inputStride = inputStride
    self.weights = weights
    self.scales = scales
    self.bias = bias
    self.columns = columns
    self.minimum = minimum
    self.maximum = maximum
    self.pixels = pixels
    self.output = output
    self.outputStride = outputStride
  }
}
