import OcellusImaging
import OcellusPlatform
import OcellusTestSupport
import Testing

/// Ten thousand damaged files are decoded or rejected, in little time and memory.
@Suite struct MutationTests {
  /// Small files of every format.
  static let seeds: [(name: String, file: [UInt8])] = {
    let pictures: [(String, PixelFormat, ImageEncoding)] = [
      ("gray png", .gray8, .png()), ("deep png", .gray16, .png()), ("png", .rgba8, .png()),
      ("jpeg", .rgb8, .jpeg()), ("gray jpeg", .gray8, .jpeg(quality: 50)), ("bmp", .rgb8, .bmp),
      ("bmp with opacity", .rgba8, .bmp), ("pgm", .gray16, .pnm), ("ppm", .rgb8, .pnm),
      ("npy", .rgb8, .npy), ("npy of floats", .planarFloat(channels: 3), .npy),
    ]
    return pictures.compactMap { name, format, encoding in
      let image = Image.ramp(format, width: 19, height: 11)
      return (try? image.encoded(as: encoding)).map { (name, $0) }
    } + [
      ("palette png", PNGDecoderTests.palette), ("bits png", PNGDecoderTests.bits),
      ("text ppm", Array("P3 2 2 15\n0 1 2 3 4 5\n6 7 8 9 10 15\n".utf8)),
    ]
  }()

  /// The small files of the shared corpus, with features that our encoders do not use.
  static let collected: [(name: String, file: [UInt8])] = {
    ["png", "jpg", "bmp"].flatMap { SharedFiles.paths(in: "zoo/images", withExtension: $0) }
      .compactMap { path in
        guard let file = contents(path), file.count < 4000 else { return nil }
        return (path, file)
      }
  }()

  private static func contents(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4000)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }

  private static var options: ImageDecodingOptions {
    var options = ImageDecodingOptions()
    options.limits.maximumPixels = 1 << 20
    options.limits.maximumBytes = 1 << 23
    return options
  }

  @Test func brokenPicturesAreReadOrRefused() {
    #expect(Self.seeds.count == 14)
    for (index, seeds) in [Self.seeds, Self.collected].enumerated() where !seeds.isEmpty {
      let refused = Self.refused(of: seeds, mutants: 10_000, seed: UInt64(index))
      // The mutations damaged some files, but not all.
      #expect((1000...9000).contains(refused), "\(refused)")
    }
  }

  private static func refused(
    of seeds: [(name: String, file: [UInt8])], mutants: Int, seed: UInt64
  ) -> Int {
    var generator = SeededGenerator(seed: seed)
    var refused = 0
    for index in 0..<mutants {
      var file = seeds[index % seeds.count].file.mutated(using: &generator)
      // With wrong checksums, nearly every mutant of a PNG file would be rejected at once.
      if file.starts(with: [0x89]), index % 8 != 0 { file = file.withRightChecksums }
      var options = Self.options
      options.strict = index % 5 == 0
      do {
        let image = try Image(decoding: file, options: options)
        #expect(image.storedSize.width * image.storedSize.height <= options.limits.maximumPixels)
      } catch {
        refused += 1
        #expect(!error.message.isEmpty)
      }
    }
    return refused
  }

  @Test func brokenVideosAreReadOrRefused() throws {
    var generator = SeededGenerator(seed: 5)
    let directory = try TemporaryDirectory()
    var frames = 0
    for name in ["half.y4m", "full.y4m", "v.mjpeg"] {
      let path = "\(directory.path)/\(name)"
      let seed = try Self.video(name, at: path)
      for _ in 0..<100 {
        let file = try #require(fopen(path, "w"))
        let mutant = seed.mutated(using: &generator)
        fwrite(mutant, 1, mutant.count, file)
        fclose(file)
        frames += Self.count(path)
      }
    }
    #expect((100...700).contains(frames), "\(frames)")
  }

  /// Returns the number of readable frames; gives up after more than there can be.
  private static func count(_ path: String) -> Int {
    var options = VideoReader.Options()
    options.decoding = Self.options
    guard let reader = try? VideoReader(contentsOf: path, options: options) else { return 0 }
    var frames = 0
    for _ in 0..<10_000 {
      do {
        guard try reader.next() != nil else { return frames }
        frames += 1
      } catch {}
    }
    Issue.record("the video never ends")
    return frames
  }

  private static func video(_ name: String, at path: String) throws -> [UInt8] {
    let image = Image.ramp(.rgb8, width: 9, height: 7)
    if name == "v.mjpeg" {
      let picture = try image.encoded(as: .jpeg())
      return picture + picture + picture
    }
    let writer = try Y4MWriter(
      path: path, size: image.size, sampling: name == "half.y4m" ? .half : .full)
    for _ in 0..<3 { try writer.write(image) }
    try writer.close()
    return contents(path) ?? []
  }
}

extension [UInt8] {
  /// Returns the bytes with a few of them changed, removed, duplicated, or cut off.
  ///
  /// Most changes are near the beginning, where headers are.
  fileprivate func mutated(using generator: inout SeededGenerator) -> [UInt8] {
    var bytes = self
    for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
      let reach = Bool.random(using: &generator) ? bytes.count : Swift.min(bytes.count, 64)
      let position = Int.random(in: 0..<reach, using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 1: bytes[position] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
      case 2: bytes.removeSubrange(position..<Swift.min(position + 4, bytes.count))
      case 3: bytes.insert(contentsOf: bytes[position...].prefix(16), at: position)
      case 4: bytes.removeLast(bytes.count - position)
      case 5:
        for index in position..<Swift.min(position + 4, bytes.count) { bytes[index] = 0xFF }
      default: bytes[position] = UInt8.random(in: 0...255, using: &generator)
      }
    }
    return bytes
  }
}
