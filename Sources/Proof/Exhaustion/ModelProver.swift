import OcellusAudit
package import OcellusEngine
import OcellusModelFile
import OcellusPlatform

/// Proves, node by node, that kernels compute what is specified for every input that exists.
package struct ModelProver {
  private let model: Model
  private let engine: any NodeEngine
  /// Is told which share of a long argument is done.
  package var progress: (_ share: Double) -> Void = { _ in }

  package init(of model: Model, engine: any NodeEngine = OwnEngine()) {
    self.model = model
    self.engine = engine
  }

  /// The nodes of all subgraphs, in the order of the file.
  package var nodes: [(subgraph: Int, index: Int)] {
    model.file.subgraphs.enumerated().flatMap { subgraph, record in
      record.operators.indices.map { (subgraph, $0) }
    }
  }

  /// Examines a node.
  package func proof(ofNode index: Int, inSubgraph subgraph: Int) throws -> NodeProof {
    let record = model.file.subgraphs[subgraph].operators[index]
    let code = model.file.operatorCodes[record.codeIndex]
    var proof = NodeProof(
      subgraph: subgraph, index: index,
      operatorName: code.customCode ?? BuiltinOperator.name(of: code.builtinCode),
      kernel: "none", outcome: .notProved("it was not examined"))
    do {
      try examine(record, &proof)
    } catch let fault as KernelFault {
      proof.outcome = .refuted(fault.description)
    } catch let refusal as WeightedNode.Refusal {
      proof.outcome = .notProved(refusal.reason)
    } catch let error as ModelError {
      proof.outcome = .notProved("it cannot be computed by itself: \(error.message)")
    }
    return proof
  }

  private func examine(_ record: OperatorRecord, _ proof: inout NodeProof) throws {
    guard let graph = model.graph.subgraphs[proof.subgraph],
      graph.nodes.indices.contains(proof.index),
      !graph.nodes[proof.index].operation.traits.contains(.stateful)
    else {
      proof.outcome = .notProved("it depends on more than its operands, or calls other subgraphs")
      return
    }
    let file = try ModelWriter.extracting(
      operator: proof.index, ofSubgraph: proof.subgraph, from: model.file)
    var settings = NodeSettings()
    settings.isExact = model.graph.roundsFloats
    let tuned = try engine.session(of: file, settings)
    proof.kernel = tuned.kernel
    if WeightedNode.Kind(rawValue: proof.operatorName) != nil {
      return try examineSums(record, &proof, tuned)
    }
    settings.isReference = true
    let reference = try OwnEngine().session(of: file, settings)
    let main = try Interpreter(Model(bytes: file)).main
    try examineValues(record, &proof, tuned, reference, main)
  }

  // MARK: Sums

  private func examineSums(
    _ record: OperatorRecord, _ proof: inout NodeProof, _ session: any NodeSession
  ) throws {
    let subgraph = model.file.subgraphs[proof.subgraph]
    let node = try WeightedNode(record, named: proof.operatorName, in: subgraph)
    var (steps, scalings): ([ResultSteps], [PlainScaling]) = ([], [])
    for channel in node.channels.indices {
      let sums = node.sums(of: channel)
      guard Self.sumsInAnyOrder.contains(sums.lowerBound),
        Self.sumsInAnyOrder.contains(sums.upperBound)
      else {
        proof.outcome = .notProved("sums of channel \(channel) may not fit 32 bits")
        return
      }
      guard let scaling = PlainScaling(of: channel, in: node), scaling.isMonotone(on: sums) else {
        proof.outcome = .notProved("the scale of channel \(channel) is unusual")
        return
      }
      scalings.append(scaling)
      steps.append(ResultSteps(of: sums, scaling))
    }
    proof.sums = SumFacts(steps)
    if let extremes = ExtremeSweep(of: node, steps, record, in: subgraph) {
      proof.comparisonCount += try extremes.run(in: session)
    }
    guard
      let sweep = try SumSweep(
        of: node, steps, scalings, strategy: session.strategy, isExact: model.graph.roundsFloats,
        engine: engine)
    else {
      proof.outcome = .notProved(
        "no probe gets the strategy '\(session.strategy?.name ?? session.kernel)'; the extreme sums are right"
      )
      return
    }
    proof.comparisonCount += try sweep.run()
    proof.outcome = .proved(.everySum)
  }

  /// Sums that fit 32 bits, with room for the last column of a probe.
  private static let sumsInAnyOrder: ClosedRange<Int64> = {
    let room = Int64(1) << 17
    return Int64(Int32.min) + room...Int64(Int32.max) - room
  }()

  // MARK: Values

  private func examineValues(
    _ record: OperatorRecord, _ proof: inout NodeProof, _ tuned: any NodeSession,
    _ reference: any NodeSession, _ main: EntryPoint
  ) throws {
    let operands = main.inputs
    guard operands.allSatisfy({ $0.type != .string && $0.shape.elementCount > 0 }) else {
      proof.outcome = .notProved("operands are texts, or their shapes depend on data")
      return
    }
    let values = ValueSweep(tuned: tuned, reference: reference, operands: operands)
    let places = PlaceSweep(tuned: tuned, reference: reference, operands: operands)
    let isNarrow = operands.allSatisfy { [.int8, .uint8, .int16, .float16].contains($0.type) }
    let family = NodeFamily(of: proof.operatorName, operandCount: operands.count)
    switch family {
    case .shape:
      proof.comparisonCount = try places.run()
      proof.outcome = .proved(.shapeOnly)
    case .mover:
      proof.comparisonCount = try places.run()
      // Quantized operands may be rescaled while they are moved.
      try conclude(&proof, .everyPlace, isNarrow ? try values.everyValue() : 0)
    case .elementwise where isNarrow:
      proof.comparisonCount = try places.run()
      try conclude(&proof, .everyValue, try values.everyValue())
    case .elementwise where proof.operatorName == "QUANTIZE" && operands[0].type == .float32:
      let subgraph = model.file.subgraphs[proof.subgraph]
      let sweep = try FloatSweep(
        record, in: subgraph, of: operands[0].shape, tuned, progress: progress)
      try conclude(&proof, .everyFloat, try sweep.run())
    case .pairwise where isNarrow:
      try conclude(&proof, .everyPair, try values.everyPair())
    case .selection, .sum, .softmax:
      let resultCount = main.outputs.reduce(0) { $0 + $1.shape.elementCount }
      try examineGroups(record, &proof, family, values, resultCount)
    case .other where isNarrow:
      proof.outcome = .notProved(
        "its results depend on many elements at once; an argument for \(proof.operatorName) would be needed"
      )
    default:
      proof.outcome = .notProved(
        "its operands are floats or wide integers, which are too many to try")
    }
  }

  /// Examines a node whose results depend on groups of elements.
  private func examineGroups(
    _ record: OperatorRecord, _ proof: inout NodeProof, _ family: NodeFamily, _ values: ValueSweep,
    _ resultCount: Int
  ) throws {
    let subgraph = model.file.subgraphs[proof.subgraph]
    guard values.operands.count == 1, let operand = values.operands.first,
      [.int8, .uint8].contains(operand.type)
    else {
      proof.outcome = .notProved("only groups of bytes are few enough to try")
      return
    }
    if case .softmax = family { return try examineSoftmax(record, &proof, operand, values) }
    guard
      let groups = ElementGroups(
        record, named: proof.operatorName, in: subgraph, of: operand.shape)
    else {
      proof.outcome = .notProved("its groups of elements are not constant, or too large")
      return
    }
    if case .selection(let selection) = family {
      let sweep = SelectionSweep(
        tuned: values.tuned, reference: values.reference, operand: operand, groups: groups,
        selection: selection)
      try conclude(&proof, .everySelection, try sweep.run())
    } else {
      let sweep = AverageSweep(
        values.tuned, values.reference, operand, groups, resultCount: resultCount)
      try conclude(&proof, .everySum, try sweep.run())
    }
  }

  private func examineSoftmax(
    _ record: OperatorRecord, _ proof: inout NodeProof, _ operand: TensorDescription,
    _ values: ValueSweep
  ) throws {
    if operand.shape[-1] == 2 {
      return try conclude(&proof, .everyPair, try values.everyPairOfNeighbours())
    }
    let sweep = try SoftmaxSweep(
      record, in: model.file.subgraphs[proof.subgraph], shape: operand.shape, engine: engine)
    proof.sums = sweep.facts
    proof.comparisonCount = try values.everyValue() ?? 0
    try conclude(&proof, .everySum, try sweep.run(progress: progress))
  }

  private func conclude(
    _ proof: inout NodeProof, _ argument: NodeProof.Argument, _ count: Int?
  ) throws {
    guard let count else {
      proof.outcome = .notProved("there are too many values or sums for so many elements")
      return
    }
    proof.comparisonCount += count
    proof.outcome = .proved(argument)
  }
}

extension SumFacts {
  fileprivate init(_ steps: [ResultSteps]) {
    let least = steps.map(\.sums.lowerBound).min() ?? 0
    self.init(
      channelCount: steps.count, sumCount: steps.reduce(0) { $0 + $1.count },
      range: least...(steps.map(\.sums.upperBound).max() ?? least), words: steps.flatMap(\.words))
  }

  /// States what these words tell about all sums.
  init(channelCount: Int, sumCount: Int, range: ClosedRange<Int64>, words: [Int64]) {
    (self.channelCount, self.sumCount, self.range) = (channelCount, sumCount, range)
    hash =
      SHA256.hash(
        words.flatMap { word in
          (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
      ).hexadecimal
  }
}
