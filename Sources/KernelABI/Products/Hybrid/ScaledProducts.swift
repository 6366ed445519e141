/// Sums of products of rounded floats with 8-bit weights, where every product is scaled, with two
/// roundings, before it is added: what the official runtime does in transposed convolutions.
public struct ScaledProducts: Sendable {
  /// The columns of weights, scales and biases are filled up to a multiple of this.
  public var panelColumns: Int
  /// Computes one row of results.
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

/// The operands of one row of results.
@frozen public struct ScaledProductArguments {
  /// Rounded floats.
  public var input: UnsafePointer<Int8>
  /// How they were rounded.
  public var rounding: RowRounding
  /// The runs of the input to take, in this order.
  public var runs: UnsafeBufferPointer<ScaledProductRun>
  /// The numbers of each run.
  public var runLength: Int
  /// For every number of a run one row of columns, whole numbers.
  public var weights: UnsafePointer<Float>
  /// One for every column.
  public var scales: UnsafePointer<Float>
  /// One for every column; -0 where there is none.
  public var bias: UnsafePointer<Float>
  /// The columns of the result.
  public var columns: Int
  /// The lower end of the activation's range; NaN passes.
  public var minimum: Float
  /// The upper end of the activation's range; NaN passes.
  public var maximum: Float
  /// The result.
  public var output: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    input: UnsafePointer<Int8>, rounding: RowRounding,
    runs: UnsafeBufferPointer<ScaledProductRun>, runLength: Int, weights: UnsafePointer<Float>,
    scales: UnsafePointer<Float>, bias: UnsafePointer<Float>, columns: Int, minimum: Float,
    maximum: Float, output: UnsafeMutableRawPointer
  ) {
    self.input = input
    self.rounding = rounding
    self.runs = runs
    self.runLength = runLength
    self.weights = weights
    self.scales = scales
    self.bias = bias
    self.columns = columns
    self.minimum = minimum
    self.maximum = maximum
    self.output = output
  }
}
