import OcellusImaging
import OcellusTestSupport
import Testing

/// Pictures decoded at reduced size: each pixel is the mean of a square of the whole picture.
@Suite struct ReducedDecodingTests {
  struct File: Sendable, CustomStringConvertible {
    let description: String
    let size: PixelSize
    let bytes: [UInt8]

    /// Whether the sums of squares of two by two need more memory than the whole picture.
    ///
    /// The rows come in any order, and a sum has four bytes.
    var isLargerHalved: Bool {
      description.hasSuffix("interlaced") && !description.contains("16 bits, type 0")
    }
  }

  /// A size that squares of 2 to 11 pixels do not divide.
  private static let size = PixelSize(width: 37, height: 23)

  static let files: [File] = {
    var generator = SeededGenerator(seed: 11)
    func random(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
    let pixels = size.width * size.height
    var files: [(String, [UInt8])] = []
    for (depth, type, pixelBytes) in [
      (8, 0, 1), (16, 0, 2), (8, 2, 3), (8, 6, 4), (16, 6, 8), (8, 4, 2),
    ] {
      let bytes = random(pixels * pixelBytes)
      let name = "PNG of \(depth) bits, type \(type)"
      let rows = CraftedPictures.rows(size, pixelBytes: pixelBytes, bytes)
      files.append((name, CraftedPictures.png(size, depth: depth, colorType: type, rows: rows)))
      let passes = CraftedPictures.passes(size, pixelBytes: pixelBytes, bytes)
      files.append(
        (
          name + ", interlaced",
          CraftedPictures.png(size, depth: depth, colorType: type, isInterlaced: true, rows: passes)
        ))
    }
    for isTopDown in [false, true] {
      let bytes = random((size.width * 3 + 3) / 4 * 4 * size.height)
      files.append(
        (
          "BMP, top down \(isTopDown)",
          CraftedPictures.bitmap(size, bits: 24, isTopDown: isTopDown, data: bytes)
        ))
    }
    let palette = random(1024)
    files.append(
      (
        "BMP with a palette",
        CraftedPictures.bitmap(size, bits: 8, palette: palette, data: random(40 * 23))
      ))
    // Runs, single pixels, jumps over rows and within them, and empty rows.
    let runs: [UInt8] = [
      20, 1, 5, 2, 0, 0, 0, 4, 1, 2, 3, 4, 9, 7, 0, 2, 4, 9, 6, 200, 0, 0, 0, 2, 3, 1, 255, 9, 0, 0,
      0, 2, 8, 0, 0, 1,
    ]
    files.append(
      (
        "BMP of runs",
        CraftedPictures.bitmap(size, bits: 8, compression: 1, palette: palette, data: runs)
      ))
    let dimensions = "\(size.width) \(size.height)"
    files.append(("PGM", Array("P5 \(dimensions) 255\n".utf8) + random(pixels)))
    files.append(("PPM", Array("P6 \(dimensions) 255\n".utf8) + random(pixels * 3)))
    files.append(("PPM of 10 bits", Array("P6 \(dimensions) 1023\n".utf8) + random(pixels * 6)))
    files.append(("PGM of 16 bits", Array("P5 \(dimensions) 65535\n".utf8) + random(pixels * 2)))
    let numbers = random(pixels).map(String.init).joined(separator: " ")
    files.append(("PGM as text", Array("P2 \(dimensions) 255\n\(numbers)\n".utf8)))
    let header = "P7\nWIDTH 37\nHEIGHT 23\nDEPTH 2\nMAXVAL 255\nENDHDR\n"
    files.append(("PAM with opacity", Array(header.utf8) + random(pixels * 2)))
    return files.map { File(description: $0.0, size: size, bytes: $0.1) }
  }()

  @Test(arguments: files, [[9, 5], [18, 11], [1, 1], [12, 2], [4, 4]])
  func pixelsAreMeansOfSquares(file: File, minimum: [Int]) throws {
    let whole = try DecodedImage(decoding: file.bytes)
    #expect(whole.image.storedSize == file.size)
    var options = ImageDecodingOptions()
    options.minimumSize = PixelSize(width: minimum[0], height: minimum[1])
    let decoded = try DecodedImage(decoding: file.bytes, options: options)
    let wanted = min(37 / minimum[0], 23 / minimum[1])
    let factor = wanted == 2 && file.isLargerHalved ? 1 : wanted
    #expect(
      decoded.image.storedSize
        == PixelSize(width: (37 + factor - 1) / factor, height: (23 + factor - 1) / factor))
    #expect(decoded.image.format == whole.image.format)
    #expect(decoded.sourceSize == file.size)
    #expect(decoded.warnings == whole.warnings)
    let worst = zip(decoded.image.samples, whole.image.meansOfSquares(factor)).map { abs($0 - $1) }
    #expect((worst.max() ?? 1000) <= 0.5001)
  }

  /// A picture is decoded as a whole if it is less than twice the requested size in one direction.
  @Test(arguments: files)
  func largerIsWhole(file: File) throws {
    for minimum in [PixelSize(width: 19, height: 2), PixelSize(width: 2, height: 12), file.size] {
      var options = ImageDecodingOptions()
      options.minimumSize = minimum
      let whole = try Image(decoding: file.bytes)
      #expect(try Image(decoding: file.bytes, options: options).rowBytes == whole.rowBytes)
    }
  }

  /// Boxes in the reduced picture map to the right boxes of the whole picture, and back.
  @Test(arguments: Orientation.allCases, [2, 3, 4, 7])
  func placesAreThoseOfTheWholePicture(orientation: Orientation, factor: Int) throws {
    let block = bytes(
      hex: "4d4d002a 00000008 0001 0112 0003 00000001 000\(orientation.rawValue)0000")
    let rows = CraftedPictures.rows(
      Self.size, pixelBytes: 1, [UInt8](repeating: 0, count: Self.size.width * Self.size.height))
    let file = CraftedPictures.png(Self.size, depth: 8, colorType: 0, rows: rows)
      .inserting(chunk: "eXIf", block)
    var options = ImageDecodingOptions()
    let upright = orientation.uprightSize(ofStored: Self.size)
    options.minimumSize = PixelSize(
      width: upright.width / factor, height: upright.height / factor)
    let decoded = try DecodedImage(decoding: file, options: options)
    #expect(decoded.sourceSize == upright)
    #expect(decoded.image.orientation == orientation)
    // A stored square becomes a stored pixel, and their corners coincide upright.
    let (stored, reduced) = (Self.size, decoded.image.storedSize)
    for (x, y) in [(0, 0), (1, 2), (reduced.width - 1, reduced.height - 1)] {
      let pixel = BoundingBox(x: Double(x), y: Double(y), width: 1, height: 1)
      let square = pixel.scaled(x: Double(factor), y: Double(factor)).clipped(to: stored)
      let place = decoded.sourceBox(of: orientation.upright(pixel, stored: reduced))
      #expect(place == orientation.upright(square, stored: stored))
      let back = decoded.imageBox(of: orientation.upright(square, stored: stored))
      #expect(back.intersectionOverUnion(orientation.upright(pixel, stored: reduced)) > 0.05)
    }
    #expect(decoded.sourceBox(of: BoundingBox(decoded.image.size)) == BoundingBox(upright))
  }

  /// Boxes still map to the decoded picture after the image was changed.
  @Test func placesStayWhenThePictureChanges() throws {
    let block = bytes(hex: "4d4d002a 00000008 0001 0112 0003 00000001 00030000")
    let rows = CraftedPictures.rows(
      Self.size, pixelBytes: 1, [UInt8](repeating: 0, count: Self.size.width * Self.size.height))
    let file = CraftedPictures.png(Self.size, depth: 8, colorType: 0, rows: rows)
      .inserting(chunk: "eXIf", block)
    var options = ImageDecodingOptions()
    options.minimumSize = PixelSize(width: 9, height: 5)
    var decoded = try DecodedImage(decoding: file, options: options)
    // Upside down, 10 by 6 squares of 4 pixels extend 3 and 1 pixels beyond the left and upper
    // edges.
    let box = BoundingBox(left: 1, top: 1, right: 2, bottom: 2)
    let place = BoundingBox(left: 1, top: 3, right: 5, bottom: 7)
    let corner = BoundingBox(left: 9, top: 5, right: 10, bottom: 6)
    #expect(decoded.sourceBox(of: box) == place)
    decoded.image = decoded.image.upright()
    #expect(decoded.sourceBox(of: box) == place)
    #expect(decoded.imageBox(of: place) == box)
    decoded.image = Image(uninitialized: .gray8, size: PixelSize(width: 2, height: 2))
    decoded.sourceSize = decoded.image.size
    #expect(
      decoded.sourceBox(of: corner) == BoundingBox(left: 33, top: 19, right: 37, bottom: 23))
  }

  @Test func placesInSmallerJPEGs() throws {
    var options = ImageDecodingOptions()
    options.minimumSize = PixelSize(width: 9, height: 5)
    let file = try JPEGDecoderTests.smooth.encoded(as: .jpeg())
    let decoded = try DecodedImage(decoding: file, options: options)
    #expect(decoded.image.size == PixelSize(width: 9, height: 5))
    let box = decoded.sourceBox(of: BoundingBox(left: 1, top: 2, right: 9, bottom: 4))
    #expect(box == BoundingBox(left: 8, top: 16, right: 65, bottom: 32))
  }
}

extension Image {
  /// The samples of the pixels as numbers.
  fileprivate var samples: [Double] {
    let bytes = rowBytes
    guard format == .gray16 else { return bytes.map(Double.init) }
    return bytes.withUnsafeBytes { $0.bindMemory(to: UInt16.self).map(Double.init) }
  }

  /// Returns the means of all squares of `side` pixels, which the edges may cut off.
  fileprivate func meansOfSquares(_ side: Int) -> [Double] {
    let (width, height) = (storedSize.width, storedSize.height)
    let samples = samples
    let channels = samples.count / (width * height)
    var means: [Double] = []
    for top in stride(from: 0, to: height, by: side) {
      for left in stride(from: 0, to: width, by: side) {
        for channel in 0..<channels {
          var (sum, count) = (0.0, 0.0)
          for y in top..<min(top + side, height) {
            for x in left..<min(left + side, width) {
              sum += samples[(y * width + x) * channels + channel]
              count += 1
            }
          }
          means.append(sum / count)
        }
      }
    }
    return means
  }
}
