import OcellusPlatform
import OcellusProof

/// The way in which mutants are made.
enum MutationKind: String, CaseIterable {
  /// Changes bytes of the file.
  case bytes
  /// Changes the graph and writes a new file.
  case graph
  /// Sets each number of each table to extreme values.
  case numbers
}

/// A model to be fuzzed.
struct FuzzSubject {
  private enum Maker {
    case bytes(Mutator)
    case graph(GraphMutator)
    case numbers(NumberMutator)
  }

  let path: String
  private let maker: Maker
  private(set) var bench: MutableModelBytes

  init(path: String, seed: UInt64, kind: MutationKind) throws {
    let bytes = try FileSystem.read(path)
    self.path = path
    bench = MutableModelBytes(bytes)
    let maker: Maker? =
      switch kind {
      case .bytes: .bytes(Mutator(original: bytes, seed: seed))
      case .graph: GraphMutator(original: bytes, seed: seed).map { .graph($0) }
      case .numbers:
        NumberMutator(original: bytes, seed: seed, fileName: path.lastPathComponent)
          .map { .numbers($0) }
      }
    guard let maker else { throw UsageError("the graph of \(path) cannot be changed") }
    self.maker = maker
  }

  /// The number of mutants with a single change, if it is finite.
  var singleChangeCount: Int? {
    guard case .numbers(let mutator) = maker else { return nil }
    return mutator.count
  }

  /// Returns the bytes of a mutant.
  mutating func bytes(ofMutant number: Int) -> [UInt8] {
    switch maker {
    case .bytes(let mutator):
      bench.apply(mutator.mutant(number))
      return bench.bytes
    case .graph(let mutator): return mutator.mutant(number).bytes
    case .numbers(let mutator): return mutator.bytes(ofMutant: number)
    }
  }

  /// Describes the changes of a mutant.
  func change(ofMutant number: Int) -> String {
    switch maker {
    case .bytes(let mutator): mutator.mutant(number).description
    case .graph(let mutator): mutator.mutant(number).change
    case .numbers(let mutator): mutator.change(ofMutant: number)
    }
  }
}
