import OcellusArrays
import OcellusAudit
import OcellusEngine
import OcellusModelFile

/// The comparison of a logged output with what each of the engine's rules computes.
struct NumericsIdentification {
  /// How near the outputs of some rules come to the logged ones.
  struct Candidate {
    let numerics: Interpreter.Numerics
    var elementCount = 0
    var differentCount = 0
    /// The greatest difference between two numbers; infinite if one of them is no number.
    var greatestDifference = 0.0

    var name: String { Interpreter.Options(numerics: numerics).numericsName }
    var reproduces: Bool { differentCount == 0 }
  }

  /// The first node whose results differ between two rules.
  struct Parting {
    let first: String
    let second: String
    let subgraph: Int
    let node: Int
    let operatorName: String
  }

  /// The candidates, the nearest first.
  private(set) var candidates: [Candidate] = []
  private(set) var partings: [Parting] = []

  /// The names of the rules that reproduce all outputs.
  var reproducing: [String] { candidates.filter(\.reproduces).map(\.name) }

  init(
    of model: Model, inputs: LoggedTensors, outputs: LoggedTensors, _ options: Interpreter.Options
  ) throws {
    var receipts: [String: Receipt] = [:]
    let ofLiteRT = Interpreter.LiteRTProcessor.allCases.map(Interpreter.Numerics.litert)
    for numerics in [Interpreter.Numerics.exact] + ofLiteRT + [.fast, .bfloat16] {
      var options = options
      options.numerics = numerics
      options.runsNodesSeparately = true
      let interpreter = try Interpreter(model, options: options)
      let entry = interpreter.main
      try Self.show(inputs, to: entry)
      let receipt = try ReceiptRecorder().receipt(of: interpreter)
      let candidate = try Self.compare(entry, with: outputs, numerics)
      receipts[candidate.name] = receipt
      candidates.append(candidate)
    }
    candidates.sort {
      ($0.differentCount, $0.greatestDifference) < ($1.differentCount, $1.greatestDifference)
    }
    guard let nearest = candidates.first, let receipt = receipts[nearest.name] else { return }
    partings = candidates.dropFirst().compactMap { other in
      receipts[other.name].flatMap { Self.parting(receipt, nearest.name, $0, other.name) }
    }
  }

  private static func show(_ inputs: LoggedTensors, to entry: EntryPoint) throws {
    let arrays = try inputs.arrays(of: entry.inputs)
    for (index, input) in entry.inputs.enumerated() {
      guard let array = arrays[index] else {
        throw RunError("there is no array for input '\(input.signatureName)'; give it with --input")
      }
      if array.shape != input.shape.dimensions {
        try entry.resizeInput(at: index, to: Shape(array.shape))
      }
    }
    try entry.allocate()
    for (index, input) in entry.inputs.enumerated() {
      guard let array = arrays[index] else { continue }
      try entry.setInput(at: index, bytes: try bytes(of: array, for: input))
    }
  }

  private static func bytes(
    of array: NPYArray, for tensor: TensorDescription
  ) throws(RunError) -> [UInt8] {
    do throws(NPYError) { return try array.tensorBytes(of: tensor.type) } catch {
      throw RunError("the array for '\(tensor.signatureName)' \(error)")
    }
  }

  // MARK: Comparing

  private static func compare(
    _ entry: EntryPoint, with outputs: LoggedTensors, _ numerics: Interpreter.Numerics
  ) throws -> Candidate {
    let arrays = try outputs.arrays(of: entry.outputs)
    guard !arrays.isEmpty else { throw RunError("none of the arrays belongs to an output") }
    var candidate = Candidate(numerics: numerics)
    for (index, array) in arrays {
      let output = entry.outputDescription(at: index)
      guard array.shape == output.shape.dimensions else {
        throw RunError(
          "output '\(output.signatureName)' has the shape \(output.shape), and its array "
            + "\(Shape(array.shape))")
      }
      func tensor(_ bytes: [UInt8]) -> StoredTensor {
        StoredTensor(type: output.type, shape: output.shape, bytes: bytes)
      }
      candidate.add(
        tensor(try entry.withOutputBytes(at: index) { Array($0) }),
        tensor(try bytes(of: array, for: output)))
    }
    return candidate
  }

  private static func parting(
    _ first: Receipt, _ firstName: String, _ second: Receipt, _ secondName: String
  ) -> Parting? {
    let pair = zip(first.nodes, second.nodes).first {
      $0.outputs.map(\.hash) != $1.outputs.map(\.hash)
    }
    return pair.map { node, _ in
      Parting(
        first: firstName, second: secondName, subgraph: node.subgraph, node: node.index,
        operatorName: node.operatorName)
    }
  }
}

extension NumericsIdentification.Candidate {
  /// Counts the elements of an output whose bits differ.
  fileprivate mutating func add(_ own: StoredTensor, _ logged: StoredTensor) {
    let difference = TensorDifference(own, logged)
    elementCount += own.shape.elementCount
    differentCount += difference?.differentCount ?? own.shape.elementCount
    greatestDifference = max(greatestDifference, difference?.maximum ?? .infinity)
  }
}
