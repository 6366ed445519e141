import OcellusHandles
import OcellusModelFile

/// What a signature calls its tensors, in the order of the names' bytes.
final class SignatureNames {
  /// Names, and the tensors that they stand for.
  struct List {
    let strings: CStrings
    private let tensors: [(name: String, tensor: Int)]

    var count: Int { tensors.count }

    init(_ tensors: [(name: String, tensor: Int)]) {
      self.tensors = tensors.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      strings = CStrings(self.tensors.map(\.name))
    }

    /// A name by its position; `nil` where there is none.
    func name(_ position: Int) -> UnsafePointer<CChar>? {
      tensors.indices.contains(position) ? strings.pointers[position] : nil
    }

    /// The tensor that a name stands for.
    func tensor(named name: String) -> Int? { tensors.first { $0.name == name }?.tensor }
  }

  let inputs: List
  let outputs: List

  init(_ signature: SignatureRecord) {
    inputs = List(signature.inputs.map { ($0.name, $0.tensor) })
    outputs = List(signature.outputs.map { ($0.name, $0.tensor) })
  }

  /// The names that the tensors of a subgraph have themselves, or get where they have none.
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

/// What a `TfLiteSignatureRunner` is: a signature of an interpreter that it keeps in memory.
final class SignatureRunner: Handle {
  let interpreter: InterpreterObject
  /// The signature's position in the model; `nil` for the main subgraph by its own names.
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
