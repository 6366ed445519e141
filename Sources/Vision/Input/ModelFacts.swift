import OcellusEngine
import OcellusModelFile
import OcellusPlatform

/// What a model shows of itself to those who have to find out how to use it.
struct ModelFacts {
  let inputs: [TensorDescription]
  let outputs: [TensorDescription]
  /// What the graph shows of them.
  let graph: GraphFacts
  /// What the author says about the inputs and outputs; `nil` where there are no such words.
  let metadata: SubgraphMetadata?
  /// The names that a signature gives the outputs, by output; empty when no signature fits.
  let signatureNames: [String?]
  /// What the file of a well-known tool says, if there is one.
  let author: AuthorFacts?
  private let files: AssociatedFiles?

  init(_ interpreter: Interpreter) throws(VisionError) {
    let model = interpreter.model
    guard let graph = model.graph.subgraphs.first ?? nil else {
      throw .mismatched("the model has no main subgraph")
    }
    self.graph = GraphFacts(graph)
    inputs = interpreter.inputs
    outputs = interpreter.outputs
    // Broken metadata must not keep a model from being used that runs without it.
    metadata = try? model.file.authorMetadata()?.subgraphs.first
    let files = try? AssociatedFiles(in: model.file.bytes)
    self.files = files
    author =
      AuthorFacts.fileNames.lazy.compactMap { name in
        (try? files?.contents(of: name)).flatMap {
          AuthorFacts(parsing: String(decoding: $0, as: UTF8.self))
        }
      }.first
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

  /// The names of the files that are packed with the model.
  var packedNames: [String] { files?.entries.map(\.name) ?? [] }

  /// The text of a file that is packed with the model.
  func packedText(_ name: String) throws(VisionError) -> String? {
    let bytes: [UInt8]?
    do throws(ModelFileError) {
      bytes = try files?.contents(of: name)
    } catch {
      throw .unreadable(error.description)
    }
    return try bytes.map { bytes throws(VisionError) in
      try TextFile.text(of: bytes, named: "\(name), packed with the model")
    }
  }
}
