import Foundation
import OcellusArrays
import OcellusImaging
import OcellusTestSupport
import Synchronization
import Testing

/// Decoding stays within its memory limit, whatever a small file claims.
@Suite struct DecodingMemoryTests {
  /// A file, and the limits in mebibytes under which it can be decoded.
  private struct Sample: Sendable {
    let name: String
    /// The limits of 16 and 64 MiB under which it is decoded; under the others it is rejected.
    let readable: Set<Int>
    let minimum: PixelSize?
    let file: @Sendable () throws -> [UInt8]

    init(
      _ name: String, readable: Set<Int>, minimum: Int? = 640,
      _ file: @escaping @Sendable () throws -> [UInt8]
    ) {
      self.name = name
      self.readable = readable
      self.minimum = minimum.map { PixelSize(width: $0, height: $0) }
      self.file = file
    }
  }

  private static func square(_ side: Int) -> PixelSize { PixelSize(width: side, height: side) }

  private static let samples: [Sample] = [
    Sample("BMP of runs", readable: [16, 64]) { CraftedPictures.runs(square(16_000)) },
    Sample("whole BMP of runs", readable: [], minimum: nil) {
      CraftedPictures.runs(square(16_000))
    },
    Sample("smaller BMP of runs", readable: [64], minimum: nil) {
      CraftedPictures.runs(square(3000))
    },
    Sample("BMP", readable: [16, 64]) {
      CraftedPictures.bitmap(
        square(2400), bits: 24, data: [UInt8](repeating: 1, count: 7200 * 2400))
    },
    Sample("JPEG", readable: []) { try CraftedPictures.jpeg(square(65_500)) },
    Sample("JPEG at an eighth", readable: [16, 64]) { try CraftedPictures.jpeg(square(12_000)) },
    Sample("gray JPEG at an eighth", readable: [16, 64]) {
      try CraftedPictures.jpeg(square(16_000), .gray8)
    },
    Sample("JPEG of several passes", readable: []) {
      try CraftedPictures.jpeg(square(16_000), .gray8, isProgressive: true)
    },
    Sample("smaller JPEG of several passes", readable: [64]) {
      try CraftedPictures.jpeg(square(4800), .gray8, isProgressive: true)
    },
    Sample("PNG", readable: [16, 64]) {
      CraftedPictures.png(square(9000), depth: 1, colorType: 0, zeros: 1126 * 9000)
    },
    Sample("whole PNG", readable: [], minimum: nil) {
      CraftedPictures.png(square(9000), depth: 1, colorType: 0, zeros: 1126 * 9000)
    },
    Sample("PNG of 16 bits", readable: [16, 64]) {
      CraftedPictures.png(square(1920), depth: 16, colorType: 6, zeros: (1920 * 8 + 1) * 1920)
    },
    Sample("gray PNG of 16 bits", readable: [16, 64]) {
      CraftedPictures.png(square(3000), depth: 16, colorType: 0, zeros: 6001 * 3000)
    },
    Sample("interlaced PNG", readable: [16, 64]) {
      CraftedPictures.png(
        square(2600), depth: 8, colorType: 2, isInterlaced: true,
        zeros: CraftedPictures.interlacedCount(square(2600), pixelBytes: 3))
    },
    Sample("whole interlaced PNG", readable: [64], minimum: nil) {
      CraftedPictures.png(
        square(2600), depth: 8, colorType: 2, isInterlaced: true,
        zeros: CraftedPictures.interlacedCount(square(2600), pixelBytes: 3))
    },
    Sample("PGM", readable: [16, 64]) {
      Array("P5 5000 5000 255\n".utf8) + [UInt8](repeating: 9, count: 25_000_000)
    },
    Sample("PGM of 16 bits", readable: [16, 64]) {
      Array("P5 3000 3000 65535\n".utf8) + [UInt8](repeating: 9, count: 18_000_000)
    },
    Sample("whole PGM", readable: [64], minimum: nil) {
      Array("P5 5000 5000 255\n".utf8) + [UInt8](repeating: 9, count: 25_000_000)
    },
  ]

  /// Runs in its own process, whose memory no other test changes.
  @Test func limitsHold() async {
    await #expect(processExitsWith: .success) { try DecodingMemoryTests.readAll() }
  }

  private static func readAll() throws {
    // The libraries allocate some memory once.
    for file in [try CraftedPictures.jpeg(square(16)), CraftedPictures.runs(square(16))] {
      _ = try Image(decoding: file)
    }
    for sample in samples {
      let file = try sample.file()
      for mebibytes in [16, 64] {
        var options = ImageDecodingOptions()
        options.minimumSize = sample.minimum
        options.limits.maximumBytes = mebibytes << 20
        options.limits.maximumPixels = .max
        let growth = try ProcessMemory.growth {
          do {
            let picture = try DecodedImage(decoding: file, options: options)
            #expect(sample.readable.contains(mebibytes), "\(sample.name), \(mebibytes) MiB")
            if let minimum = sample.minimum {
              #expect(picture.image.size.width >= minimum.width)
            }
          } catch let error as ImageError {
            #expect(
              !sample.readable.contains(mebibytes), "\(sample.name), \(mebibytes) MiB: \(error)")
            #expect(error.kind == .tooLarge, "\(sample.name): \(error)")
            #expect(error.message.contains("limit is \(mebibytes << 20) bytes (maximumBytes"))
          }
        }
        #expect(
          growth < (mebibytes << 20) * 11 / 10, "\(sample.name) takes \(growth) of \(mebibytes) MiB"
        )
      }
    }
  }

  /// The default limit admits photographs of a hundred megapixels.
  @Test func photographsOfAHundredMegapixelsAreRead() {
    let size = PixelSize(width: 12_288, height: 8192)
    for isProgressive in [false, true] {
      let error = #expect(throws: ImageError.self) {
        // The file ends before its pixels, but after all headers that determine the memory.
        let file = try CraftedPictures.jpeg(size, isProgressive: isProgressive)
        var options = ImageDecodingOptions()
        options.strict = true
        options.minimumSize = PixelSize(width: 1, height: 1)
        _ = try Image(decoding: file, options: options)
      }
      #expect(error?.kind == .malformed)
    }
  }

  /// Decompressed texts count towards the limit, and other texts count with their size only.
  @Test func textsAreCounted() throws {
    var options = ImageDecodingOptions()
    options.limits.maximumBytes = 1 << 20
    let size = PixelSize(width: 500, height: 500)
    let file = CraftedPictures.png(size, depth: 8, colorType: 2, zeros: 1501 * 500)
    #expect(try Image(decoding: file, options: options).size == size)
    let text = file.inserting(chunk: "tEXt", Array("Title\0x".utf8))
    #expect(try DecodedImage(decoding: text, options: options).texts.count == 1)
    let packed = file.inserting(
      chunk: "zTXt", Array("Title\0\0".utf8) + bytes(hex: "7801 01 0100feff 78 00790079"))
    let error = #expect(throws: ImageError.self) {
      try DecodedImage(decoding: packed, options: options)
    }
    #expect(error?.kind == .tooLarge)
    options.limits.maximumBytes = 2 << 20
    #expect(try DecodedImage(decoding: packed, options: options).texts.count == 1)
  }

  /// An array is allocated only after its memory was granted.
  ///
  /// The test runs in its own process, whose memory no other test changes.
  @Test func arraysWaitForTheirMemory() async {
    await #expect(processExitsWith: .success) { try DecodingMemoryTests.refuseArray() }
  }

  private static func refuseArray() throws {
    let numbers = [UInt8](repeating: 1, count: 64 << 20)
    let file = NPYArray(element: .uint8, shape: [1 << 13, 1 << 13], bytes: numbers).file
    let claim = Mutex(0)
    var options = ImageDecodingOptions()
    options.supervisor = DecodingSupervisor(
      grant: { bytes, _ in claim.withLock { $0 += bytes } }, isStopped: { true })
    let growth = try ProcessMemory.growth {
      #expect(throws: ImageError.self) { try Image(decoding: file, options: options) }
    }
    #expect(claim.withLock { $0 } == 2 * numbers.count)
    #expect(growth < 16 << 20)
  }
}

/// The memory of this process.
private enum ProcessMemory {
  /// Returns the difference of the peak while `body` runs to the memory before.
  static func growth(_ body: () throws -> Void) throws -> Int {
    // Writing 5 resets the peak to the current value (proc(5)).
    try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    let before = try bytes("VmRSS:")
    try body()
    return try bytes("VmHWM:") - before
  }

  private static func bytes(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name) })
    let number = line.split(whereSeparator: \.isWhitespace)[1]
    return try #require(Int(number)) << 10
  }
}
