/// The positions of an LSTM cell's operands among those of its node, and which of them are given.
struct LSTMCellSpec: Sendable {
  enum Gate: Int, CaseIterable, Sendable { case input, forget, cell, output }

  /// The arithmetic of a cell.
  enum Arithmetic: Sendable {
    case float
    /// Floats with 8-bit weights.
    case hybrid
    case integer
  }

  /// The position of the input gate's input weights; other operands follow in a fixed order.
  let first: Int
  let outputState: Int
  let cellState: Int
  private let firstNormalization: Int?
  private let firstAuxiliaryWeights: Int?

  let arithmetic: Arithmetic
  /// Whether there is an input gate; without one, the intake is `1 - forget` (a coupled gate).
  let hasInputGate: Bool
  let hasPeepholes: Bool
  let hasProjection: Bool
  let isNormalized: Bool
  let hasAuxiliaryWeights: Bool

  /// Decodes a cell and checks that its operands are there and of the right types.
  init(
    _ node: NodeSpec, first: Int, outputState: Int, cellState: Int, normalization: Int? = nil,
    auxiliaryWeights: Int? = nil
  ) throws(ModelError) {
    self.first = first
    self.outputState = outputState
    self.cellState = cellState
    firstNormalization = normalization
    firstAuxiliaryWeights = auxiliaryWeights
    let weights = try node.input(first + Gate.output.rawValue)
    arithmetic =
      try node.input(0).type == .int8 ? .integer : weights.type == .float32 ? .float : .hybrid
    func isPresent(_ base: Int?, _ gate: Gate) -> Bool {
      base.flatMap { node.optionalInput($0 + gate.rawValue) } != nil
    }
    hasInputGate = isPresent(first, .input)
    hasPeepholes = node.optionalInput(first + 9) != nil
    hasProjection = node.optionalInput(first + 15) != nil
    isNormalized = isPresent(normalization, .forget)
    hasAuxiliaryWeights = isPresent(auxiliaryWeights, .forget)
    try checkPresence(node)
    try checkTypes(node, weightType: weights.type)
  }

  /// Whether the cell has gates only, as converters make it and tuned steps take it.
  var isPlain: Bool { !hasPeepholes && !hasProjection && !isNormalized && !hasAuxiliaryWeights }

  // MARK: Positions

  var gates: [Gate] { hasInputGate ? Gate.allCases : [.forget, .cell, .output] }

  func inputWeights(_ gate: Gate) -> Int { first + gate.rawValue }
  func recurrentWeights(_ gate: Gate) -> Int { first + 4 + gate.rawValue }
  func bias(_ gate: Gate) -> Int { first + 11 + gate.rawValue }

  /// Returns the weights from the cells' states to their gates.
  func peephole(_ gate: Gate) -> Int? {
    guard hasPeepholes else { return nil }
    return switch gate {
    case .input: first + 8
    case .forget: first + 9
    case .cell: nil
    case .output: first + 10
    }
  }

  func normalization(_ gate: Gate) -> Int? {
    isNormalized ? firstNormalization.map { $0 + gate.rawValue } : nil
  }

  func auxiliaryWeights(_ gate: Gate) -> Int? {
    hasAuxiliaryWeights ? firstAuxiliaryWeights.map { $0 + gate.rawValue } : nil
  }

  var projectionWeights: Int { first + 15 }
  var projectionBias: Int { first + 16 }

  // MARK: Checks

  private func checkPresence(_ node: NodeSpec) throws(ModelError) {
    func require(_ position: Int, _ isWanted: Bool) throws(ModelError) {
      try node.require(
        (node.optionalInput(position) != nil) == isWanted,
        "input \(position) must \(isWanted ? "" : "not ")be given with the others")
    }
    for gate in Gate.allCases {
      let isWanted = gate != .input || hasInputGate
      try require(inputWeights(gate), isWanted)
      try require(recurrentWeights(gate), isWanted)
      try require(bias(gate), isWanted)
      if let normalization = normalization(gate) { try require(normalization, isWanted) }
    }
    for gate in gates {
      if gate == .input || gate == .output {
        try require(first + 8 + min(gate.rawValue, 2), hasPeepholes)
      }
      if let firstAuxiliaryWeights {
        try require(firstAuxiliaryWeights + gate.rawValue, hasAuxiliaryWeights)
      }
    }
    try node.require(
      hasProjection || node.optionalInput(projectionBias) == nil,
      "has a bias of a projection but no projection")
  }

  private func checkTypes(_ node: NodeSpec, weightType: ElementType) throws(ModelError) {
    let isInteger = arithmetic == .integer
    try node.require(try node.input(0), isInteger ? .int8 : .float32)
    try node.require(
      isInteger ? weightType == .int8 : [.float32, .int8, .uint8].contains(weightType),
      "weights cannot be \(weightType.name)")
    let biasType: ElementType = isInteger ? .int32 : .float32
    func require(_ position: Int?, _ type: ElementType) throws(ModelError) {
      guard let position, let tensor = node.optionalInput(position) else { return }
      try node.require(tensor, type)
    }
    for gate in gates {
      try require(inputWeights(gate), weightType)
      try require(auxiliaryWeights(gate), weightType)
      try requireRecurrentWeights(node, gate, weightType)
      try require(peephole(gate), isInteger ? .int16 : weightType)
      try require(normalization(gate), isInteger ? .int16 : .float32)
      try require(bias(gate), biasType)
    }
    try require(projectionWeights, weightType)
    try require(projectionBias, biasType)
    try node.requireVariable(outputState, isInteger ? .int8 : .float32)
    try node.requireVariable(cellState, isInteger ? .int16 : .float32)
  }

  /// Checks recurrent weights, which may also be the diagonal of a matrix, always in floats.
  private func requireRecurrentWeights(
    _ node: NodeSpec, _ gate: Gate, _ type: ElementType
  ) throws(ModelError) {
    let weights = try node.input(recurrentWeights(gate))
    let isDiagonal = weights.shape.rank == 1 && arithmetic != .integer
    try node.require(weights, isDiagonal ? .float32 : type)
  }
}

extension NodeSpec {
  /// Throws unless an operand is a variable, which keeps what the node writes to it.
  func requireVariable(_ position: Int, _ type: ElementType) throws(ModelError) {
    let tensor = try input(position)
    try require(tensor, type)
    try require(
      tensor.isVariable && !tensor.isConstant, "tensor \(tensor.label) must be a variable")
  }
}
