import OcellusArrays
import OcellusImaging
import OcellusTestSupport
import Synchronization
import Testing

/// The memory that decoders claim before they allocate it.
@Suite struct ClaimedMemoryTests {
  private static func square(_ side: Int) -> PixelSize { PixelSize(width: side, height: side) }

  /// Returns the bytes that decoding a file claims.
  private func claim(_ file: [UInt8], _ options: ImageDecodingOptions = .init()) throws -> Int {
    var options = options
    let claim = Mutex(0)
    options.supervisor = DecodingSupervisor(
      grant: { bytes, _ in claim.withLock { $0 += bytes } }, isStopped: { false })
    _ = try Image(decoding: file, options: options)
    return claim.withLock { $0 }
  }

  // MARK: Sizes without a number

  /// Small files whose headers announce more pixels than there are addresses.
  ///
  /// JPEG and Y4M cannot announce such sizes.
  private static let files: [(name: String, kind: ImageError.Kind, bytes: [UInt8])] = {
    let side = Int(Int32.max)
    let text = { (text: String) in Array(text.utf8) }
    let large = "3000000000 3000000000"
    return [
      (
        "PNG", .tooLarge,
        CraftedPictures.png(square(side), depth: 8, colorType: 6, zeros: 9)
      ),
      (
        "interlaced PNG", .tooLarge,
        CraftedPictures.png(square(side), depth: 16, colorType: 0, isInterlaced: true, zeros: 9)
      ),
      ("BMP", .malformed, CraftedPictures.bitmap(square(side), bits: 24, data: [0])),
      ("BMP of runs", .tooLarge, CraftedPictures.runs(square(side))),
      ("PPM", .malformed, text("P6 \(large) 65535\n")),
      ("PPM as text", .malformed, text("P3 \(large) 255\n")),
      (
        "PAM", .malformed,
        text("P7\nWIDTH 3000000000\nHEIGHT 3000000000\nDEPTH 4\nMAXVAL 255\nENDHDR\n")
      ),
      (
        "NPY", .malformed,
        NPYArray(element: .uint8, shape: [side, side, 4], bytes: [0]).file
      ),
    ]
  }()

  @Test(arguments: files.map(\.name), [nil, 1, 10_000_000] as [Int?])
  func sizesBeyondAllNumbersAreRefused(name: String, minimum: Int?) throws {
    let file = try #require(Self.files.first { $0.name == name })
    var options = ImageDecodingOptions()
    options.limits.maximumSide = .max
    options.limits.maximumPixels = .max
    options.minimumSize = minimum.map(Self.square)
    let error = #expect(throws: ImageError.self) {
      try Image(decoding: file.bytes, options: options)
    }
    #expect(error?.kind == file.kind, "\(error?.message ?? "")")
  }

  /// A size that overflows exceeds even the largest limit.
  @Test func noLimitAllowsWhatHasNoNumber() throws {
    var options = ImageDecodingOptions()
    options.limits.maximumSide = .max
    options.limits.maximumPixels = .max
    options.limits.maximumBytes = .max
    for file in Self.files where file.kind == .tooLarge && !file.name.contains("interlaced") {
      let error = #expect(throws: ImageError.self) {
        try Image(decoding: file.bytes, options: options)
      }
      #expect(error?.kind == .tooLarge)
    }
  }

  // MARK: No more than is taken

  /// Intermediate copies are claimed: OpenCV's area resampler needs upright RGB, and other pictures
  /// are converted and rotated first.
  @Test(arguments: [(2, 3, 1), (0, 1, 2), (6, 4, 2)])
  func picturesAreCountedThatAreMadeOnTheWay(type: Int, pixelBytes: Int, copies: Int) throws {
    let size = PixelSize(width: 30, height: 20)
    let rows = [UInt8](repeating: 0, count: (1 + size.width * pixelBytes) * size.height)
    let upright = CraftedPictures.png(size, depth: 8, colorType: type, rows: rows)
    let turned = upright.inserting(
      chunk: "eXIf", bytes(hex: "4d4d002a 00000008 0001 0112 0003 00000001 0006 0000"))
    func claim(_ file: [UInt8], _ resampler: Resampler, asStored: Bool = false) throws -> Int {
      var options = ImageDecodingOptions()
      options.ignoresOrientation = asStored
      options.purpose = PicturePurpose(
        size: nil, fit: .stretch, region: nil, resampler: resampler)
      return try self.claim(file, options)
    }
    let plain = try claim(upright, .pillowBilinear)
    #expect(try claim(upright, .openCVArea) == plain)
    #expect(try claim(turned, .pillowBilinear) == plain)
    #expect(try claim(turned, .openCVArea, asStored: true) == plain)
    #expect(try claim(turned, .openCVArea) == plain + copies * size.width * size.height * 3)
  }

  /// Decoding at a reduced size never claims more than decoding the whole picture.
  @Test(
    arguments: [(8, 0, 1), (16, 0, 2), (8, 2, 3), (8, 6, 4)], [false, true])
  func smallerIsNotMore(_ form: (depth: Int, type: Int, bytes: Int), isInterlaced: Bool) throws {
    let size = Self.square(200)
    let count =
      isInterlaced
      ? CraftedPictures.interlacedCount(size, pixelBytes: form.bytes)
      : (1 + size.width * form.bytes) * size.height
    let file = CraftedPictures.png(
      size, depth: form.depth, colorType: form.type, isInterlaced: isInterlaced, zeros: count)
    let whole = try claim(file)
    for factor in 2...6 {
      var options = ImageDecodingOptions()
      options.minimumSize = Self.square(200 / factor)
      #expect(try claim(file, options) <= whole, "a \(factor)th")
    }
  }

  /// A text claims three times its size, a compressed one three times the size that it may have.
  @Test func textsTakeWhatTheyHave() throws {
    let size = Self.square(8)
    let file = CraftedPictures.png(size, depth: 8, colorType: 0, zeros: 9 * 8)
    let plain = try claim(file)
    let text = Array("Title\0x".utf8)
    #expect(try claim(file.inserting(chunk: "tEXt", text)) == plain + 3 * text.count)
    let packed = Array("Title\0\0".utf8) + bytes(hex: "7801 01 0100feff 78 00790079")
    let withPacked = file.inserting(chunk: "zTXt", packed)
    #expect(try DecodedImage(decoding: withPacked).texts.map(\.text) == ["x"])
    #expect(try claim(withPacked) == plain + 3 << 20)
    var options = ImageDecodingOptions()
    options.readsTexts = false
    #expect(try claim(withPacked, options) == plain)
    // Many texts claim at most the limit for all texts together.
    let many = (0..<200).reduce(file) { file, _ in file.inserting(chunk: "zTXt", packed) }
    #expect(try claim(many) <= plain + 3 * 64 << 20)
  }
}
