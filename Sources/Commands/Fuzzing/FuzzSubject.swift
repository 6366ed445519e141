import OcellusPlatform

/// A model that is fuzzed.
struct FuzzSubject {
  let path: String
  let mutator: Mutator
  var bench: MutationBench

  init(path: String, seed: UInt64) throws(FileError) {
    let bytes = try FileSystem.read(path)
    self.path = path
    mutator = Mutator(original: bytes, seed: seed)
    bench = MutationBench(bytes)
  }

  /// The bytes of one mutant, good until the next call.
  mutating func bytes(ofMutant number: Int) -> [UInt8] {
    bench.apply(mutator.mutant(number))
    return bench.bytes
  }
}
