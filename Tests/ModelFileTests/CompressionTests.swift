import Foundation
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Streams of zlib, made by the system's `gzip`: the two differ in header and checksum only.
@Suite(.enabled(if: Executable.isThere("gzip"), "no gzip"))
struct CompressionTests {
  private static func contents(ofGzip bytes: [UInt8], limit: Int) throws -> [UInt8] {
    try bytes.withUnsafeBytes { try GzipFile.contents(of: $0, limit: limit) }
  }

  private static func contents(ofZlib bytes: [UInt8], limit: Int) throws -> [UInt8] {
    try bytes.withUnsafeBytes { try ZlibStream.contents(of: $0, limit: limit) }
  }

  /// Text, noise, zeros, and numbers so unequal in frequency that some have the longest codes.
  private static let samples: [[UInt8]] = {
    var random = SeededGenerator(seed: 1)
    let text = (0..<20_000).map { "line \($0 * $0)\n" }.joined()
    let noise = (0..<70_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let unequal = (0..<300_000).map { _ in
      UInt8(min(UInt64.random(in: 1...UInt64.max, using: &random).leadingZeroBitCount, 40))
    }
    return [Array(text.utf8), noise, [UInt8](repeating: 0, count: 1 << 20), unequal, [], [7]]
  }()

  private static func gzip(_ bytes: [UInt8], _ level: String) throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/file"
    try Data(bytes).write(to: URL(filePath: path))
    _ = try Executable.errors(of: "gzip", ["--no-name", level, path], with: "")
    return Array(try Data(contentsOf: URL(filePath: path + ".gz")))
  }

  /// Puts the header and checksum of zlib around the compressed bytes of a gzip file.
  private static func zlib(_ bytes: [UInt8], _ level: String) throws -> [UInt8] {
    let sums = bytes.reduce((low: 1, high: 0)) { sums, byte in
      let low = (sums.low + Int(byte)) % 65521
      return (low, (sums.high + low) % 65521)
    }
    let checksum = UInt32(sums.high << 16 | sums.low)
    return [0x78, 0x9C] + (try gzip(bytes, level)[10...].dropLast(8))
      + withUnsafeBytes(of: checksum.bigEndian) { Array($0) }
  }

  @Test(arguments: ["-1", "-6", "-9"]) func bothAreReadBack(level: String) throws {
    for sample in Self.samples {
      let gzip = try Self.gzip(sample, level)
      #expect(try Self.contents(ofGzip: gzip, limit: sample.count) == sample)
      let zlib = try Self.zlib(sample, level)
      #expect(try Self.contents(ofZlib: zlib, limit: sample.count) == sample)
      if !sample.isEmpty {
        #expect {
          try Self.contents(ofZlib: zlib, limit: sample.count - 1)
        } throws: { ($0 as? ModelFileError)?.kind == .tooLarge }
      }
    }
  }

  @Test func cutAndContinuedStreamsAreRefused() throws {
    let whole = try Self.zlib(Self.samples[0], "-6")
    for count in [0, 1, 2, 3, 100, whole.count - 5, whole.count - 1] {
      #expect(throws: ModelFileError.self) {
        try Self.contents(ofZlib: Array(whole[..<count]), limit: 1 << 20)
      }
    }
    #expect(throws: ModelFileError.self) {
      try Self.contents(ofZlib: whole + [0], limit: 1 << 20)
    }
  }

  @Test func damagedStreamsAreRefused() throws {
    let whole = try Self.zlib(Array(Self.samples[0].prefix(5000)), "-6")
    var random = SeededGenerator(seed: 2)
    for _ in 0..<2000 {
      var damaged = whole
      damaged[Int.random(in: 0..<whole.count, using: &random)] ^=
        UInt8.random(in: 1...255, using: &random)
      // A header may be damaged into another valid one.
      let contents = try? Self.contents(ofZlib: damaged, limit: 1 << 20)
      #expect(contents.map { $0 == Array(Self.samples[0].prefix(5000)) } ?? true)
    }
  }

  /// Blocks that define codes and contain nothing: setting up each takes microseconds.
  @Test func codesWithoutContentsAreRefused() throws {
    var bits: [Bool] = []
    func add(_ value: Int, _ count: Int) { bits += (0..<count).map { value >> $0 & 1 == 1 } }
    for _ in 0..<10_000 {
      // A block that is not the last one, of the kind with codes: 257 literals, 1 distance, and the
      // lengths of 18 codes for lengths, of which only 18 (zeros) and 1 are used.
      for (value, count) in [(0, 1), (2, 2), (0, 5), (0, 5), (14, 4)] { add(value, count) }
      for index in 0..<18 { add([2, 17].contains(index) ? 1 : 0, 3) }
      // 256 zeros, two lengths of 1, and the end of the block.
      for (value, count) in [(1, 1), (127, 7), (1, 1), (107, 7), (0, 1), (0, 1), (0, 1)] {
        add(value, count)
      }
    }
    // The last block is stored and empty.
    for (value, count) in [(1, 1), (0, 2), (0, (8 - (bits.count + 3) % 8) % 8)] {
      add(value, count)
    }
    for (value, count) in [(0, 16), (0xFFFF, 16)] { add(value, count) }
    let bytes = stride(from: 0, to: bits.count, by: 8).map { start -> UInt8 in
      bits[start..<start + 8].reversed().reduce(0) { byte, bit in byte << 1 | (bit ? 1 : 0) }
    }
    #expect {
      try Self.contents(ofZlib: [0x78, 0x9C] + bytes + [0, 0, 0, 1], limit: 1 << 20)
    } throws: { ($0 as? ModelFileError)?.message.contains("more codes") == true }
  }
}
