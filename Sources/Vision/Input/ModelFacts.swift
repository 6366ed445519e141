import OcellusEngine
import OcellusModelFile

/// What a model shows of itself to those who have to find out how to use it.
struct ModelFacts {
  let inputs: [TensorDescription]
  let outputs: [TensorDescription]
  /// Which operator computes each output.
  let origins: [OutputOrigin]
  /// What the author says about the inputs and outputs; `nil` where there are no such words.
  let metadata: SubgraphMetadata?
  /// The names that a signature gives the outputs, by output; empty when no signature fits.
  let signatureNames: [String?]
  let graph: Subgraph
  private let files: AssociatedFiles?

  init(_ interpreter: Interpreter) throws(VisionError) {
    let model = interpreter.model
    guard let graph = model.graph.subgraphs.first ?? nil else {
      throw .mismatched("the model has no main subgraph")
    }
    self.graph = graph
    inputs = interpreter.inputs
    outputs = interpreter.outputs
    origins = graph.outputs.map { OutputOrigin(of: $0, in: graph) }
    // Broken metadata must not keep a model from being used that runs without it.
    metadata = try? model.file.authorMetadata()?.subgraphs.first
    files = try? AssociatedFiles(in: model.file.bytes)
    let signature = model.file.signatures.first { $0.subgraphIndex == 0 }
    signatureNames = graph.outputs.map { output in
      signature?.outputs.first { $0.tensor == output }?.name
    }
  }

  /// What the author says about an output: by position, as the format has it.
  func metadata(ofOutput index: Int) -> TensorMetadata? {
    guard let described = metadata?.outputs, described.count == outputs.count else { return nil }
    return described[index]
  }

  /// What the author says about an input.
  func metadata(ofInput index: Int) -> TensorMetadata? {
    guard let described = metadata?.inputs, described.count == inputs.count else { return nil }
    return described[index]
  }

  /// The text of a file that is packed with the model.
  func packedText(_ name: String) throws(VisionError) -> String? {
    do throws(ModelFileError) {
      return try files?.contents(of: name).map { String(decoding: $0, as: UTF8.self) }
    } catch {
      throw .unreadable(error.description)
    }
  }
}

/// The operator that computes an output, seen through those that change nothing but its form.
struct OutputOrigin: Hashable {
  /// The operator's name in the schema, or a custom operator's own; `nil` for an input or constant.
  var operatorName: String?
  /// Which of the operator's outputs it is.
  var slot = 0
  /// The node's index in the main subgraph.
  var node = -1

  init(of tensor: Int, in graph: Subgraph) {
    var tensor = tensor
    // An operator comes after those it reads from, so that this ends.
    while graph.producers[tensor] >= 0 {
      let node = graph.nodes[graph.producers[tensor]]
      operatorName = node.spec.operatorName
      slot = node.outputs.firstIndex(of: tensor) ?? 0
      self.node = node.spec.index
      guard Self.formOperators.contains(node.spec.operatorName), let source = node.inputs.first,
        source >= 0
      else { return }
      tensor = source
    }
  }

  /// Operators that hand on the values they get.
  private static let formOperators: Set<String> = [
    "RESHAPE", "SQUEEZE", "EXPAND_DIMS", "DEQUANTIZE", "QUANTIZE", "CAST", "CONCATENATION",
    "TRANSPOSE", "PACK", "STRIDED_SLICE", "SLICE",
  ]

  /// Whether the values are probabilities already.
  var isProbability: Bool {
    operatorName.map { ["LOGISTIC", "SOFTMAX", "HARD_SIGMOID"].contains($0) } ?? false
  }
}
