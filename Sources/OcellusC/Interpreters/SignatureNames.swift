import OcellusHandles
import OcellusModelFile

/// The names of a signature's tensors, sorted by their UTF-8 bytes.
final class SignatureNames {
  /// Sorted names and the tensors that they stand for.
  struct List {
    let strings: CStrings
    private let tensors: [(name: String, tensor: Int)]

    var count: Int { tensors.count }

    init(_ tensors: [(name: String, tensor: Int)]) {
      self.tensors = tensors.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      strings = CStrings(self.tensors.map(\.name))
    }

    /// Returns the name at a position, or `nil` if it is out of range.
    func name(_ position: Int) -> UnsafePointer<CChar>? {
      tensors.indices.contains(position) ? strings.pointers[position] : nil
    }

    /// Returns the tensor with a name.
    func tensor(named name: String) -> Int? { tensors.first { $0.name == name }?.tensor }
  }

  let inputs: List
  let outputs: List

  init(_ signature: SignatureRecord) {
    inputs = List(signature.inputs.map { ($0.name, $0.tensor) })
    outputs = List(signature.outputs.map { ($0.name, $0.tensor) })
  }

  /// Takes the names of a subgraph's tensors; unnamed tensors get a name from their position.
  init(_ subgraph: SubgraphRecord) {
    func named(_ tensors: [Int], _ kind: String) -> List {
      List(
        tensors.enumerated().map { position, tensor in
          let name = subgraph.tensors[tensor].name
          return (name.isEmpty ? "\(kind)\(position)" : name, tensor)
        })
    }
    inputs = named(subgraph.inputs, "input")
    outputs = named(subgraph.outputs, "output")
  }
}

/// The object behind a `TfLiteSignatureRunner`: a signature and its interpreter, which it retains.
final class SignatureRunner: Handle {
  let interpreter: InterpreterObject
  /// The signature's position in the model; `nil` for the main subgraph by its tensors' names.
  private let position: Int?

  /// The subgraph and its names; `nil` when the interpreter was deleted.
  var signature: (graph: RunningGraph, names: SignatureNames)? {
    interpreter.signature(at: position)
  }

  init(_ interpreter: InterpreterObject, position: Int?) {
    self.interpreter = interpreter
    self.position = position
  }
}
