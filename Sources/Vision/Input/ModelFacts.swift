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

  /// The names and shapes of the outputs, for messages.
  var outputsInWords: String {
    outputs.map { "'\($0.name)' \($0.shape)" }.joined(separator: ", ")
  }

  /// The number of an output as a caller gave it.
  func checked(_ output: Int?) throws(VisionError) -> Int? {
    guard let output, !outputs.indices.contains(output) else { return output }
    throw .mismatched("there is no output \(output): the outputs are \(outputsInWords)")
  }

  /// Whether the name of an output has one of these words in it, in small letters.
  func output(_ index: Int, isCalled words: [String]) -> Bool {
    let name = (signatureNames[index] ?? outputs[index].name).lowercased()
    return words.contains { name.contains($0) }
  }

  /// The outputs in the order in which the network was written, where the names that TensorFlow gives
  /// them show it (`Identity_1`, `StatefulPartitionedCall:2`): converters shuffle them.
  var originalOrder: [Int] {
    let places = outputs.compactMap { OriginalPlace(name: $0.name) }
    guard places.count == outputs.count else { return Array(outputs.indices) }
    return outputs.indices.sorted {
      (places[$0].call, places[$0].result, $0) < (places[$1].call, places[$1].result, $1)
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

/// The place of an output in the network as it was written, as its name shows it.
private struct OriginalPlace {
  /// The number behind an underscore, as in `Identity_1`; 0 where there is none.
  var call = 0
  /// The number behind a colon, as in `StatefulPartitionedCall:2`; 0 where there is none.
  var result = 0

  /// The place in a name that TensorFlow gave; `nil` for other names.
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

  /// Takes a sign and the digits behind it; a number that nobody counts to is 0.
  private static func number(_ rest: inout Substring.UTF8View) -> Int? {
    let digits = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(1 + digits.count)
    return Int(Substring(digits)) ?? 0
  }
}
