/// Sums of products of rounded floats with 8-bit weights, where every product is scaled, with two
/// roundings, before it is added: what the official runtime does in transposed convolutions.
public struct ScaledProducts: Sendable {
  /// The columns of weights, scales and biases are filled up to a multiple of this.
  public var panelColumns: Int
  /// Computes the results of some pixels.
  public var run: @Sendable (ScaledProductArguments) -> Void

  /// Creates the entry from its function.
  public init(panelColumns: Int, run: @escaping @Sendable (ScaledProductArguments) -> Void) {
    self.panelColumns = panelColumns
    self.run = run
  }
}

/// A run of numbers of the input and where its weights are.
@frozen public struct ScaledProductRun: Sendable {
  /// The first number, counted from the first of the input.
  public var input: Int
  /// The number of rows of weights in front of its first one.
  public var weightRow: Int

  /// Creates a run.
  public init(input: Int, weightRow: Int) {
    self.input = input
    self.weightRow = weightRow
  }
}

/// The operands of the results of some pixels.
@frozen public struct ScaledProductArguments {
  /// Rounded floats, less their zero point: whole numbers.
  public var input: UnsafePointer<Float>
  /// What products are scaled with at last.
  public var scale: Float
  /// The runs of the input to take for the first pixel, in this order.
  public var runs: UnsafeBufferPointer<ScaledProductRun>
  /// The numbers of each run.
  public var runLength: Int
  /// How many numbers the runs of each pixel lie behind those of the one before.
  public var inputStride: Int
  /// For every number of a run one row of columns, whole numbers.
  public var weights: UnsafePointer<Float>
  /// What products are scaled with at first, one for every column.
  public var scales: UnsafePointer<Float>
  /// One for every column; -0 where there is none.
  public var bias: UnsafePointer<Float>
  /// The columns of the result.
  public var columns: Int
  /// The lower end of the activation's range; NaN passes.
  public var minimum: Float
  /// The upper end of the activation's range; NaN passes.
  public var maximum: Float
  /// The pixels of the result.
  public var pixels: Int
  /// The first of them.
  public var output: UnsafeMutableRawPointer
  /// How many floats the next one is from each.
  public var outputStride: Int

  /// Creates the arguments.
  public init(
    input: UnsafePointer<Float>, scale: Float, runs: UnsafeBufferPointer<ScaledProductRun>,
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
