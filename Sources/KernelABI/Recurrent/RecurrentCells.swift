/// The recurrent cells of one instruction set, without their matrix multiplications.
///
/// Arrays of cells are padded to a multiple of `laneCount`; the results in the padding are ignored.
public struct RecurrentCells: Sendable {
  /// The number of cells that are computed at once.
  public var laneCount: Int
  /// Computes one step of a float LSTM from the sums of its matrix multiplications.
  public var floatLSTM: @Sendable (FloatLSTMArguments) -> Void
  /// Computes one step of an integer LSTM from the sums of its matrix multiplications.
  public var integerLSTM: @Sendable (IntegerLSTMArguments) -> Void
  /// Computes one step of an integer SVDF from the sums of its multiplication with the input.
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

/// A fixed-point multiplier of the official runtime: see `SumScaling.fixedPoint`.
@frozen public struct FixedPointFactor: Sendable {
  /// The fraction, from 0 to 2³¹ - 1.
  public var fraction: Int32
  /// The power of two; negative for a shift to the right.
  public var exponent: Int32

  /// Creates a multiplier.
  public init(fraction: Int32, exponent: Int32) {
    self.fraction = fraction
    self.exponent = exponent
  }
}

/// The constants of an integer LSTM, which all steps share.
@frozen public struct IntegerLSTMScales: Sendable {
  /// The scaling of the input's sums for the four gates.
  ///
  /// The order is input gate, forget gate, candidate, output gate.
  public var input: (FixedPointFactor, FixedPointFactor, FixedPointFactor, FixedPointFactor)
  /// The scaling of the state's sums for the same gates.
  public var state: (FixedPointFactor, FixedPointFactor, FixedPointFactor, FixedPointFactor)
  /// Whether the cell has an input gate; otherwise its value is one minus the forget gate's (CIFG).
  public var hasInputGate: Bool
  /// The integer bits of the cell states, from 0 to 4.
  public var stateIntegerBits: Int
  /// The largest magnitude of a cell state; 32768 for no limit.
  public var stateLimit: Int32
  /// The scaling of the outputs.
  public var output: FixedPointFactor
  /// The zero point, which is added to the scaled outputs.
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
  /// The constants of the LSTM.
  public var scales: UnsafePointer<IntegerLSTMScales>
  /// The sums of the input, biases included: `stride` for each of the four gates.
  public var inputSums: UnsafePointer<Int32>
  /// The sums of the previous outputs, in the same order.
  public var stateSums: UnsafePointer<Int32>
  /// The cell states, 16-bit numbers in 32 bits; read and written.
  public var states: UnsafeMutablePointer<Int32>
  /// The results: one byte for each cell.
  public var output: UnsafeMutablePointer<Int8>
  /// The number of cells, padded to a multiple of `laneCount`.
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

/// The operands of one step of an integer SVDF, whose filters weight their last features.
@frozen public struct IntegerFilterArguments {
  /// The sum of the input's products for every filter, padded to a multiple of `laneCount`.
  ///
  /// The kernel overwrites it.
  public var sums: UnsafeMutablePointer<Int32>
  /// The last `memory` features of every filter, newest last; shifted by one.
  public var states: UnsafeMutablePointer<Int16>
  /// The weights of the features.
  public var weights: UnsafePointer<Int16>
  /// One value per unit, or `nil` for zeros.
  public var bias: UnsafePointer<Int32>?
  /// The result: one byte per unit, padded to a multiple of `laneCount`.
  public var output: UnsafeMutablePointer<Int8>
  /// The number of filters.
  public var filters: Int
  /// The number of features that a filter remembers.
  public var memory: Int
  /// The number of filters whose results a unit adds.
  public var rank: Int
  /// The scaling of sums to features.
  public var featureFactor: FixedPointFactor
  /// The scaling of units to outputs.
  public var outputFactor: FixedPointFactor
  /// The zero point, which is added to the scaled outputs.
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
  /// The sums of the input, biases included: `stride` for each of the four gates.
  ///
  /// The order is input gate, forget gate, candidate, output gate.
  public var inputSums: UnsafePointer<Float>
  /// The sums of the previous outputs, in the same order.
  public var stateSums: UnsafePointer<Float>
  /// Whether the cell has an input gate; otherwise its value is one minus the forget gate's (CIFG).
  public var hasInputGate: Bool
  /// The largest magnitude of a cell state.
  public var stateLimit: Float
  /// The cell states; read and written.
  public var states: UnsafeMutablePointer<Float>
  /// The results: one for each cell.
  public var output: UnsafeMutablePointer<Float>
  /// The number of cells, padded to a multiple of `laneCount`.
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
