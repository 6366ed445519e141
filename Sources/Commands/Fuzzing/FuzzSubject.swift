import OcellusPlatform

/// How mutants are made.
enum MutationKind: String, CaseIterable {
  /// Bytes of the file are changed.
  case bytes
  /// The graph is changed, and written as a file again.
  case graph
}

/// A model that is fuzzed.
struct FuzzSubject {
  let path: String
  private let mutator: Mutator
  /// `nil` where bytes are changed.
  private let graph: GraphMutator?
  private(set) var bench: MutationBench

  init(path: String, seed: UInt64, kind: MutationKind) throws {
    let bytes = try FileSystem.read(path)
    self.path = path
    mutator = Mutator(original: bytes, seed: seed)
    bench = MutationBench(bytes)
    graph = kind == .graph ? GraphMutator(original: bytes, seed: seed) : nil
    if kind == .graph, graph == nil {
      throw UsageError("\(path) is no model whose graph could be changed")
    }
  }

  /// The bytes of one mutant, good until the next call.
  mutating func bytes(ofMutant number: Int) -> [UInt8] {
    if let graph { return graph.mutant(number).bytes }
    bench.apply(mutator.mutant(number))
    return bench.bytes
  }

  /// What is changed in a mutant.
  func change(ofMutant number: Int) -> String {
    graph?.mutant(number).change ?? mutator.mutant(number).description
  }
}
