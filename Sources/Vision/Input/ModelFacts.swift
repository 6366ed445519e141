import OcellusEngine
import OcellusModelFile
import OcellusPlatform

/// The facts in a model from which its use is inferred.
struct ModelFacts {
  let inputs: [TensorDescription]
  let outputs: [TensorDescription]
  /// The facts that the graph shows about inputs and outputs.
  let graph: GraphFacts
  /// The author's metadata about inputs and outputs; `nil` if there are none.
  let metadata: SubgraphMetadata?
  /// The output names in a signature, by output; all `nil` if no signature fits.
  let signatureNames: [String?]
  /// The metadata of a well-known tool, if there are any.
  let author: UltralyticsMetadata?
  private let files: AssociatedFiles?

  init(_ interpreter: Interpreter) throws(VisionError) {
    let model = interpreter.model
    guard let graph = model.graph.subgraphs.first ?? nil else {
      throw .mismatched("the model has no main subgraph")
    }
    self.graph = GraphFacts(graph)
    inputs = interpreter.inputs
    outputs = interpreter.outputs
    // Broken metadata must not prevent the use of a model that runs without them.
    metadata = try? model.file.authorMetadata()?.subgraphs.first
    let files = try? AssociatedFiles(in: model.file.bytes)
    self.files = files
    author =
      UltralyticsMetadata.fileNames.lazy.compactMap { name in
        (try? files?.contents(of: name)).flatMap {
          UltralyticsMetadata(parsing: String(decoding: $0, as: UTF8.self))
        }
      }.first
    let signature = model.file.signatures.first { $0.subgraphIndex == 0 }
    signatureNames = graph.outputs.map { output in
      signature?.outputs.first { $0.tensor == output }?.name
    }
  }

  /// The names and shapes of the outputs, for messages.
  var outputsInWords: String {
    outputs.map { "'\($0.name)' \($0.shape)" }.joined(separator: ", ")
  }

  /// Returns an output index that a caller gave, if it is valid.
  func checked(_ output: Int?) throws(VisionError) -> Int? {
    guard let output, !outputs.indices.contains(output) else { return output }
    throw .mismatched("there is no output \(output): the outputs are \(outputsInWords)")
  }

  /// Whether the name of an output contains one of the words, which are in lower case.
  func output(_ index: Int, isCalled words: [String]) -> Bool {
    let name = (signatureNames[index] ?? outputs[index].name).lowercased()
    return words.contains { name.contains($0) }
  }

  /// The outputs in the order in which the network was written, as converters change the order.
  ///
  /// It follows from TensorFlow's names (`Identity_1`, `StatefulPartitionedCall:2`); without them,
  /// the order stays.
  var originalOrder: [Int] {
    let origins = outputs.compactMap { OriginalPosition(name: $0.name) }
    guard origins.count == outputs.count else { return Array(outputs.indices) }
    return outputs.indices.sorted {
      (origins[$0].call, origins[$0].result, $0) < (origins[$1].call, origins[$1].result, $1)
    }
  }

  /// Returns the metadata of an output, which the format assigns by position.
  func metadata(ofOutput index: Int) -> TensorMetadata? {
    guard let described = metadata?.outputs, described.count == outputs.count else { return nil }
    return described[index]
  }

  /// Returns the metadata of an input, which the format assigns by position.
  func metadata(ofInput index: Int) -> TensorMetadata? {
    guard let described = metadata?.inputs, described.count == inputs.count else { return nil }
    return described[index]
  }

  /// The names of the files that are packed with the model.
  var packedNames: [String] { files?.entries.map(\.name) ?? [] }

  /// Returns the text of a file that is packed with the model.
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

/// The position of an output in the network as it was written, according to its name.
private struct OriginalPosition {
  /// The number after an underscore, as in `Identity_1`; 0 if there is none.
  var call = 0
  /// The number after a colon, as in `StatefulPartitionedCall:2`; 0 if there is none.
  var result = 0

  /// Parses a name that TensorFlow gave; `nil` for other names.
  init?(name: String) {
    let words = ["Identity", "PartitionedCall", "StatefulPartitionedCall"]
    guard let word = words.first(where: { name.hasPrefix($0) }) else { return nil }
    var rest = name.utf8.dropFirst(word.utf8.count)
    if rest.first == UInt8(ascii: "_") {
      guard let number = Self.number(&rest) else { return nil }
      call = number
    }
    if rest.first == UInt8(ascii: ":") {
      guard let number = Self.number(&rest) else { return nil }
      result = number
    }
    guard rest.isEmpty else { return nil }
  }

  /// Consumes a separator and the digits after it; a number that overflows is read as 0.
  private static func number(_ rest: inout Substring.UTF8View) -> Int? {
    let digits = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(1 + digits.count)
    return Int(Substring(digits)) ?? 0
  }
}
