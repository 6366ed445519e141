import OcellusPlatform
import OcellusProof
import OcellusTestSupport
import Testing

@Suite struct MutatorTests {
  /// A buffer whose root table has an int32 7, an absent field, and a vector of two bytes.
  ///
  ///     0  offset to the table: 16       4  identifier
  ///     8  vtable: size 10, table 12, fields at 4, absent, 8   (18: the table's padding)
  ///     20 table: vtable 12 before; 7; offset 4 to the vector at 32: count 2
  private static let buffer: [UInt8] = [
    20, 0, 0, 0, 84, 70, 76, 51,
    10, 0, 12, 0, 4, 0, 0, 0, 8, 0, 0, 0,
    12, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0,
    2, 0, 0, 0, 9, 9,
  ]

  @Test func mapsAHandMadeBuffer() {
    let map = FlatBufferMap(of: Self.buffer)
    #expect(map.tables == [20])
    #expect(map.vtableEntries == [8, 10, 12, 14, 16])
    #expect(map.offsets == [0, 28])
    #expect(map.counts == [32])
    #expect(map.scalars == [.init(position: 24, size: 4), .init(position: 36, size: 1)])
  }

  @Test(arguments: [0, 1, 3, 4, 8, 20, 30, 37])
  func mapsDamagedBuffersWithoutATrap(length: Int) {
    _ = FlatBufferMap(of: Array(Self.buffer[..<length]))
    _ = FlatBufferMap(of: [UInt8](repeating: 0xFF, count: length))
    _ = FlatBufferMap(of: [UInt8](repeating: 0x04, count: length))
  }

  @Test func sameNumberSameMutant() {
    let first = Mutator(original: Self.buffer, seed: 1)
    let second = Mutator(original: Self.buffer, seed: 1)
    let other = Mutator(original: Self.buffer, seed: 2)
    let mutants = (0..<500).map(first.mutant)
    #expect(mutants == (0..<500).map(second.mutant))
    #expect(mutants != (0..<500).map(other.mutant))
  }

  @Test func everyPrefixComesUp() {
    let mutator = Mutator(original: Self.buffer, seed: 1)
    let lengths = Set((0..<8 * 50).compactMap { mutator.mutant($0).length })
    #expect(lengths == Set(0...Self.buffer.count))
  }

  @Test func mutantsStayInsideTheFileAndDiffer() {
    let mutator = Mutator(original: Self.buffer, seed: 3)
    var bench = MutableModelBytes(Self.buffer)
    var changed = 0
    for number in 0..<5000 {
      let mutant = mutator.mutant(number)
      bench.apply(mutant)
      #expect(bench.bytes.count == mutant.length ?? Self.buffer.count)
      changed += bench.bytes == Self.buffer ? 0 : 1
    }
    #expect(changed > 4000)
    bench.apply(Mutant())
    #expect(bench.bytes == Self.buffer)
  }

  @Test func tinyFilesHaveMutantsToo() {
    for count in 0...5 {
      let original = [UInt8](repeating: 1, count: count)
      var bench = MutableModelBytes(original)
      let mutator = Mutator(original: original, seed: 1)
      for number in 0..<200 { bench.apply(mutator.mutant(number)) }
    }
  }

  @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
  func findsTheOptionsOfARealModel() throws {
    let models = SharedFiles.paths(in: "zoo/models/ops", withExtension: "tflite")
    let path = try #require(models.first { $0.hasSuffix("/abs.float32.tflite") })
    let map = FlatBufferMap(of: try FileSystem.read(path))
    // The tables are the model, operator code, subgraph, two tensors, an operator, and buffers.
    #expect(map.tables.count >= 7)
    #expect(map.scalars.count >= 4)
    #expect(map.counts.count >= 8)
  }
}
