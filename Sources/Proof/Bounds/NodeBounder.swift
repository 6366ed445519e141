import OcellusAudit
package import OcellusEngine
import OcellusModelFile

/// What is known about the results of a node.
package enum BoundsOutcome: Sendable {
  case bounded([BoundedTensor])
  /// There are no bounds, for this reason.
  case notBounded(String)
}

/// Bounds what a correct engine may compute for single nodes.
package final class NodeBounder {
  private let model: Model
  private let arithmetic: BoundsArithmetic
  /// The constants of each subgraph that were read, by their tensors.
  private var constants: [[Int]: BoundedTensor] = [:]

  package init(of model: Model, _ arithmetic: BoundsArithmetic) {
    self.model = model
    self.arithmetic = arithmetic
  }

  /// A node with everything that its bounds depend on.
  struct Situation {
    let index: Int
    let subgraph: Int
    let record: OperatorRecord
    let name: String
    /// The operands; `nil` for those that are left out.
    let operands: [BoundedTensor?]
    let shapes: [Shape]
    let types: [ElementType]

    /// The first result's extents.
    var output: [Int] { shapes.first?.dimensions ?? [] }

    func operand(_ position: Int) -> BoundedTensor? {
      operands.indices.contains(position) ? operands[position] : nil
    }

    /// The numbers of a float operand; `nil` for others.
    func floats(_ position: Int) -> Intervals? { operand(position)?.intervals }
  }

  /// Returns the bounds of a node's results, or why there are none.
  ///
  /// `operands` are what is known about the operands, in the file's order: `nil` for constants, and
  /// for those about which nothing is known. `shapes` are the extents of the results.
  package func outcome(
    ofNode index: Int, inSubgraph subgraph: Int, operands: [BoundedTensor?], shapes: [Shape]
  ) -> BoundsOutcome {
    let graph = model.file.subgraphs[subgraph]
    let record = graph.operators[index]
    var known: [BoundedTensor?] = []
    for (position, tensor) in record.inputs.enumerated() {
      if tensor < 0 {
        known.append(nil)
      } else if let operand = operands[position] ?? constant(tensor, ofSubgraph: subgraph) {
        known.append(operand)
      } else if !isUnneeded(position, of: record) {
        return .notBounded("nothing is known about operand '\(graph.tensors[tensor].name)'")
      } else {
        known.append(nil)
      }
    }
    let situation = Situation(
      index: index, subgraph: subgraph, record: record,
      name: model.file.operatorCodes[record.codeIndex].name, operands: known, shapes: shapes,
      types: record.outputs.compactMap { ElementType(graph.tensors[$0].type) })
    guard situation.types.count == record.outputs.count, shapes.count == record.outputs.count else {
      return .notBounded("the extents of its results are not known")
    }
    do { return try outcome(of: situation) } catch {
      return .notBounded("it cannot be computed by itself: \(error)")
    }
  }

  /// Sparse constants, which only the node that expands them reads.
  private func isUnneeded(_ position: Int, of node: OperatorRecord) -> Bool {
    model.file.operatorCodes[node.codeIndex].name == "DENSIFY"
  }

  /// Returns a constant of the file; `nil` if the tensor is none, or is sparse.
  func constant(_ tensor: Int, ofSubgraph subgraph: Int) -> BoundedTensor? {
    if let known = constants[[subgraph, tensor]] { return known }
    let record = model.file.subgraphs[subgraph].tensors[tensor]
    let count = record.shape.reduce(1, *)
    // A constant without elements has no data.
    let found = record.data ?? (count == 0 ? UnsafeRawBufferPointer(start: nil, count: 0) : nil)
    guard let data = found, record.sparsity == nil, let type = ElementType(record.type) else {
      return nil
    }
    let byteCount = type.byteWidth.map { $0 * count } ?? data.count
    guard byteCount <= data.count else { return nil }
    let constant = BoundedTensor(
      exact: StoredTensor(
        type: type, shape: Shape(record.shape), quantization: Quantization(record.quantization),
        bytes: Array(data.prefix(byteCount))))
    constants[[subgraph, tensor]] = constant
    return constant
  }

  // MARK: Operators

  private func outcome(of node: Situation) throws -> BoundsOutcome {
    if Self.moves(node) { return try moved(node) }
    guard node.types.count == 1, node.types[0] == .float32 else {
      if node.name == "QUANTIZE", let result = quantized(node) { return .bounded([result]) }
      return try exact(node)
    }
    if node.name == "DEQUANTIZE" || node.name == "CAST" { return try converted(node) }
    guard node.operands.first??.type == .float32 || node.name == "TRANSPOSE_CONV" else {
      return .notBounded("its operands are no floats")
    }
    guard let bounds = bounds(of: node) else { return .notBounded(reason(for: node)) }
    guard bounds.shape == node.output else { return .notBounded("its result has other extents") }
    return .bounded([BoundedTensor(bounds)])
  }

  private func reason(for node: Situation) -> String {
    if let weights = node.operand(1)?.type, Self.multiplies.contains(node.name),
      weights != .float32
    {
      return "its weights are \(weights.name): engines may round the other operand to integers, too"
    }
    return Self.multiplies.contains(node.name) || Self.others.contains(node.name)
      ? "its options or extents are unusual" : "no bounds are known for \(node.name)"
  }

  private static let multiplies: Set = [
    "BATCH_MATMUL", "CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "TRANSPOSE_CONV",
  ]
  private static let others: Set = [
    "ADD", "ADD_N", "AVERAGE_POOL_2D", "DIV", "L2_NORMALIZATION", "MAX_POOL_2D", "MEAN", "MUL",
    "REDUCE_MAX", "REDUCE_MIN", "RESIZE_BILINEAR", "SUB", "SUM",
  ]

  /// Returns the bounds of a node whose operands and result are floats.
  private func bounds(of node: Situation) -> Intervals? {
    let options = OperatorOptions(node.record)
    if Self.multiplies.contains(node.name) { return productBounds(of: node) }
    guard let input = node.floats(0) else { return nil }
    let units = arithmetic.functionUnits
    if let function = UnaryFunction(node.name, options, arithmetic) {
      return function.bounds(input)
    }
    if let function = BoundedBinary(rawValue: node.name) {
      guard let second = node.floats(1), let clamp = options.clamp else { return nil }
      return function.bounds(
        input, second, output: node.output, clamp: clamp, functionUnits: units)
    }
    switch node.name {
    case "ADD_N": return sum(of: node)
    case "AVERAGE_POOL_2D", "MAX_POOL_2D":
      let function: GroupFunction = node.name == "MAX_POOL_2D" ? .maximum : .mean
      return options.clamp.flatMap {
        function.pool(input, options, output: node.output, clamp: $0)
      }
    case "MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN":
      guard let axes = node.operand(1), axes.isExact, let list = axes.low.integers else {
        return nil
      }
      return Self.reductions[node.name]?.reduction(input, axes: list, output: node.output)
    case "SOFTMAX":
      return RowFunction.softmax(beta: options.float("beta")).bounds(input, functionUnits: units)
    case "LOG_SOFTMAX": return RowFunction.logSoftmax.bounds(input, functionUnits: units)
    case "L2_NORMALIZATION":
      guard options.integer("fused_activation_function") == 0 else { return nil }
      return RowFunction.l2Normalization.bounds(input, functionUnits: units)
    case "RESIZE_BILINEAR": return ResizeBounds(options).bounds(input, output: node.output)
    default: return nil
    }
  }

  private static let reductions: [String: GroupFunction] = [
    "MEAN": .mean, "SUM": .sum, "REDUCE_MAX": .maximum, "REDUCE_MIN": .minimum,
  ]

  private func productBounds(of node: Situation) -> Intervals? {
    let isTransposed = node.name == "TRANSPOSE_CONV"
    guard let input = node.floats(isTransposed ? 2 : 0), let weights = node.floats(1) else {
      return nil
    }
    let biasPosition = isTransposed ? 3 : 2
    let biases = node.floats(biasPosition)
    guard biases != nil || node.operand(biasPosition) == nil else { return nil }
    let matrices = MatrixBounds(node.record, arithmetic)
    switch node.name {
    case "FULLY_CONNECTED":
      return matrices.fullyConnected(input, weights, biases, output: node.output)
    case "BATCH_MATMUL": return matrices.batchMultiplication(input, weights, output: node.output)
    default: break
    }
    guard let convolution = ConvolutionBounds(node.record, arithmetic) else { return nil }
    return switch node.name {
    case "CONV_2D": convolution.convolution(input, weights, biases, output: node.output)
    case "DEPTHWISE_CONV_2D": convolution.depthwise(input, weights, biases, output: node.output)
    default: convolution.transposed(input, weights, biases, output: node.output)
    }
  }

  private func sum(of node: Situation) -> Intervals? {
    let terms = node.operands.indices.compactMap { node.floats($0) }
    guard terms.count == node.operands.count,
      terms.allSatisfy({ $0.shape == node.output })
    else { return nil }
    var result = Intervals(shape: node.output)
    for index in 0..<result.count {
      var column = Intervals(shape: [terms.count])
      for (position, term) in terms.enumerated() { column[position] = term[index] }
      result[index] = GroupFunction.sum.bounds(column, Array(terms.indices))
    }
    return result
  }

  // MARK: What is exact

  /// Whether every result is a copy of an element, and which one depends on integers only.
  private static func moves(_ node: Situation) -> Bool {
    if NodeFamily(of: node.name, operandCount: node.operands.count) == .mover { return true }
    return movers.contains(node.name)
      || node.name == "DEQUANTIZE" && node.operand(0)?.type == .float16
  }

  private static let movers: Set = [
    "BROADCAST_ARGS", "DENSIFY", "DYNAMIC_UPDATE_SLICE", "EMBEDDING_LOOKUP", "FILL", "GATHER_ND",
    "MATRIX_DIAG", "REVERSE_SEQUENCE", "SELECT", "SELECT_V2", "ZEROS_LIKE",
  ]

  /// Computes a node that moves elements for both ends of their intervals.
  private func moved(_ node: Situation) throws -> BoundsOutcome {
    for case let operand? in node.operands where !operand.isExact && operand.type.isInteger {
      return .notBounded("where it moves elements depends on what is only bounded")
    }
    guard let isolated = try isolated(node) else {
      return .notBounded("it depends on more than its operands")
    }
    func results(_ end: KeyPath<BoundedTensor, StoredTensor>) throws -> [StoredTensor]? {
      var given: [StoredTensor] = []
      for operand in isolated.operands {
        guard let position = node.record.inputs.firstIndex(of: operand),
          let tensor = node.operand(position)
        else { return nil }
        given.append(tensor[keyPath: end])
      }
      return try isolated.results(of: given)
    }
    guard let lows = try results(\.low) else { return .notBounded("an operand is missing") }
    if node.operands.allSatisfy({ $0?.isExact ?? true }) {
      return .bounded(lows.map { BoundedTensor(exact: $0) })
    }
    guard let highs = try results(\.high) else { return .notBounded("an operand is missing") }
    return .bounded(zip(lows, highs).map { BoundedTensor(low: $0, high: $1) })
  }

  /// Computes a node whose results are no floats.
  private func exact(_ node: Situation) throws -> BoundsOutcome {
    guard node.types.allSatisfy({ !$0.isFloating }) else { return .notBounded(reason(for: node)) }
    guard node.operands.allSatisfy({ $0?.isExact ?? true }) else {
      return .notBounded("what it decides or counts depends on what is only bounded")
    }
    if node.operands.contains(where: { $0?.low.quantization?.scales.isEmpty == false }) {
      return .notBounded("it computes in integers: 'ocellus prove' is about those")
    }
    return try moved(node)
  }

  private func isolated(_ node: Situation) throws -> IsolatedNode? {
    try IsolatedNode(
      node.index, ofSubgraph: node.subgraph, of: model,
      options: .init(budget: .unlimited, usesReferenceKernels: true))
  }

  // MARK: Conversions

  /// DEQUANTIZE and CAST to floats: exact integers, rounded once.
  private func converted(_ node: Situation) throws -> BoundsOutcome {
    guard let operand = node.operand(0), let low = operand.low.reals(),
      let high = operand.high.reals(), low.count == node.output.reduce(1, *)
    else { return .notBounded("its operand's format has no single scale") }
    var result = Intervals(shape: node.output)
    // Any byte but 0 is a true Boolean.
    let most = operand.type == .bool ? 1 : Double.infinity
    for index in 0..<low.count {
      let ends = Interval(low: min(low[index], most), high: min(high[index], most))
      let isExact =
        operand.low.quantization == nil && ends.magnitude <= 0x1p24 || ends == Interval(0)
      result[index] = isExact ? ends : ends.rounded()
    }
    return .bounded([BoundedTensor(result)])
  }

  /// QUANTIZE from floats: x / s, or x times a rounded 1 / s, rounded in either way on a tie.
  private func quantized(_ node: Situation) -> BoundedTensor? {
    let record = model.file.subgraphs[node.subgraph].tensors[node.record.outputs[0]]
    guard let input = node.floats(0), let quantization = Quantization(record.quantization),
      quantization.scales.count == 1, quantization.scale > 0,
      let range = node.types[0].quantizedRange, input.shape == node.output
    else { return nil }
    var (lows, highs) = ([UInt8](), [UInt8]())
    let width = node.types[0].byteWidth ?? 1
    for index in 0..<input.count {
      let ends = input[index].scaled(by: 1 / Double(quantization.scale))
      let error = 4 * Float32Rounding.halfUnit * ends.magnitude + 1e-9
      let steps = Interval(
        low: (ends.low - error - 0.5).rounded(.up), high: (ends.high + error + 0.5).rounded(.down))
      func stored(_ number: Double) -> Int {
        guard number.isFinite else { return number < 0 ? range.lowerBound : range.upperBound }
        return Int(
          (number + Double(quantization.zeroPoint)).clamped(
            to: Double(range.lowerBound)...Double(range.upperBound)))
      }
      for byte in 0..<width {
        lows.append(UInt8(truncatingIfNeeded: stored(steps.low) >> (8 * byte)))
        highs.append(UInt8(truncatingIfNeeded: stored(steps.high) >> (8 * byte)))
      }
    }
    func tensor(_ bytes: [UInt8]) -> StoredTensor {
      StoredTensor(
        type: node.types[0], shape: node.shapes[0], quantization: quantization, bytes: bytes)
    }
    return BoundedTensor(low: tensor(lows), high: tensor(highs))
  }
}

extension ElementType {
  /// Whether elements count or say where others are.
  fileprivate var isInteger: Bool {
    switch self {
    case .bool, .int32, .int64, .uint32, .uint64: true
    default: false
    }
  }

  var isFloating: Bool {
    switch self {
    case .float16, .bfloat16, .float32, .float64, .complex64, .complex128: true
    default: false
    }
  }

  /// The integers of a quantized tensor.
  fileprivate var quantizedRange: ClosedRange<Int>? {
    switch self {
    case .int8: -128...127
    case .uint8: 0...255
    case .int16: -32_768...32_767
    default: nil
    }
  }
}
