/// What recurrent layers do beside their matrix products, in one instruction set.
///
/// Vectors of cells are filled up to a multiple of `laneCount`; what is computed there is not
/// looked at.
public struct RecurrentCells: Sendable {
  /// The cells that are computed at once.
  public var laneCount: Int
  /// One step of an LSTM in floats, behind its products.
  public var floatLSTM: @Sendable (FloatLSTMArguments) -> Void
  /// One step of an LSTM in integers, behind its products.
  public var integerLSTM: @Sendable (IntegerLSTMArguments) -> Void
  /// One step of an SVDF in integers, behind its products with the input.
  public var integerFilters: @Sendable (IntegerFilterArguments) -> Void

  /// Creates the entry from its functions.
  public init(
    laneCount: Int, floatLSTM: @escaping @Sendable (FloatLSTMArguments) -> Void,
    integerLSTM: @escaping @Sendable (IntegerLSTMArguments) -> Void,
    integerFilters: @escaping @Sendable (IntegerFilterArguments) -> Void
  ) {
    self.laneCount = laneCount
    self.floatLSTM = floatLSTM
    self.integerLSTM = integerLSTM
    self.integerFilters = integerFilters
  }
}

/// A multiplier as the official runtime scales sums with it: see `SumScaling.fixedPoint`.
@frozen public struct FixedPointFactor: Sendable {
  /// The fraction, from 0 to 2³¹ - 1.
  public var fraction: Int32
  /// The power of two; negative shifts to the right.
  public var exponent: Int32

  /// Creates a multiplier.
  public init(fraction: Int32, exponent: Int32) {
    self.fraction = fraction
    self.exponent = exponent
  }
}

/// How an integer LSTM computes, whatever the step.
@frozen public struct IntegerLSTMScales: Sendable {
  /// The scaling of the input's sums for the input gate, the forget gate, the candidate and the
  /// output gate.
  public var input: (FixedPointFactor, FixedPointFactor, FixedPointFactor, FixedPointFactor)
  /// The scaling of the state's sums for the same gates.
  public var state: (FixedPointFactor, FixedPointFactor, FixedPointFactor, FixedPointFactor)
  /// Without an input gate a cell takes in what it forgets.
  public var hasInputGate: Bool
  /// The bits in front of the point of the cells' states, from 0 to 4.
  public var stateIntegerBits: Int
  /// The largest magnitude of a state; 32768 where it has no limit.
  public var stateLimit: Int32
  /// The scaling of the outputs.
  public var output: FixedPointFactor
  /// Added to the scaled outputs.
  public var outputZeroPoint: Int32

  /// Creates the scales.
  public init(
    input: (FixedPointFactor, FixedPointFactor, FixedPointFactor, FixedPointFactor),
    state: (FixedPointFactor, FixedPointFactor, FixedPointFactor, FixedPointFactor),
    hasInputGate: Bool, stateIntegerBits: Int, stateLimit: Int32, output: FixedPointFactor,
    outputZeroPoint: Int32
  ) {
    self.input = input
    self.state = state
    self.hasInputGate = hasInputGate
    self.stateIntegerBits = stateIntegerBits
    self.stateLimit = stateLimit
    self.output = output
    self.outputZeroPoint = outputZeroPoint
  }
}

/// The operands of one step of an integer LSTM.
@frozen public struct IntegerLSTMArguments {
  /// How it computes.
  public var scales: UnsafePointer<IntegerLSTMScales>
  /// The sums of products with the input, biases included: `stride` for each of the four gates.
  public var inputSums: UnsafePointer<Int32>
  /// The sums of products with the last outputs, in the same order.
  public var stateSums: UnsafePointer<Int32>
  /// The states of the cells, 16-bit numbers in 32 bits: read and written.
  public var states: UnsafeMutablePointer<Int32>
  /// The results: one byte for each cell.
  public var output: UnsafeMutablePointer<Int8>
  /// The cells, filled up to a multiple of `laneCount`.
  public var stride: Int

  /// Creates the arguments.
  public init(
    scales: UnsafePointer<IntegerLSTMScales>, inputSums: UnsafePointer<Int32>,
    stateSums: UnsafePointer<Int32>, states: UnsafeMutablePointer<Int32>,
    output: UnsafeMutablePointer<Int8>, stride: Int
  ) {
    self.scales = scales
    self.inputSums = inputSums
    self.stateSums = stateSums
    self.states = states
    self.output = output
    self.stride = stride
  }
}

/// The operands of one step of an integer SVDF: filters that weigh their last features.
@frozen public struct IntegerFilterArguments {
  /// The sum of products with the input for every filter, filled up to a multiple of `laneCount`;
  /// overwritten.
  public var sums: UnsafeMutablePointer<Int32>
  /// The last `memory` features of every filter, the newest last: moved on by one.
  public var states: UnsafeMutablePointer<Int16>
  /// The weights of these features.
  public var weights: UnsafePointer<Int16>
  /// One value per unit, or `nil` for zeros.
  public var bias: UnsafePointer<Int32>?
  /// The result: one byte per unit, filled up to a multiple of `laneCount`.
  public var output: UnsafeMutablePointer<Int8>
  /// The filters.
  public var filters: Int
  /// The features that a filter remembers.
  public var memory: Int
  /// How many filters a unit adds up.
  public var rank: Int
  /// The scaling of sums to features.
  public var featureFactor: FixedPointFactor
  /// The scaling of units to outputs.
  public var outputFactor: FixedPointFactor
  /// Added to the scaled outputs.
  public var outputZeroPoint: Int32

  /// Creates the arguments.
  public init(
    sums: UnsafeMutablePointer<Int32>, states: UnsafeMutablePointer<Int16>,
    weights: UnsafePointer<Int16>, bias: UnsafePointer<Int32>?,
    output: UnsafeMutablePointer<Int8>, filters: Int, memory: Int, rank: Int,
    featureFactor: FixedPointFactor, outputFactor: FixedPointFactor, outputZeroPoint: Int32
  ) {
    self.sums = sums
    self.states = states
    self.weights = weights
    self.bias = bias
    self.output = output
    self.filters = filters
    self.memory = memory
    self.rank = rank
    self.featureFactor = featureFactor
    self.outputFactor = outputFactor
    self.outputZeroPoint = outputZeroPoint
  }
}

/// The operands of one step of a float LSTM.
@frozen public struct FloatLSTMArguments {
  /// The sums of products with the input, biases included: `stride` for each of the four gates,
  /// which are the input gate, the forget gate, the candidate and the output gate.
  public var inputSums: UnsafePointer<Float>
  /// The sums of products with the last outputs, in the same order.
  public var stateSums: UnsafePointer<Float>
  /// Without an input gate a cell takes in what it forgets.
  public var hasInputGate: Bool
  /// The largest magnitude of a state.
  public var stateLimit: Float
  /// The states of the cells: read and written.
  public var states: UnsafeMutablePointer<Float>
  /// The results: one for each cell.
  public var output: UnsafeMutablePointer<Float>
  /// The cells, filled up to a multiple of `laneCount`.
  public var stride: Int

  /// Creates the arguments.
  public init(
    inputSums: UnsafePointer<Float>, stateSums: UnsafePointer<Float>, hasInputGate: Bool,
    stateLimit: Float, states: UnsafeMutablePointer<Float>,
    output: UnsafeMutablePointer<Float>, stride: Int
  ) {
    self.inputSums = inputSums
    self.stateSums = stateSums
    self.hasInputGate = hasInputGate
    self.stateLimit = stateLimit
    self.states = states
    self.output = output
    self.stride = stride
  }
}
