/// The chunks of a PNG file; the last one may be truncated.
struct PNGChunks: Sequence {
  struct Chunk {
    var name: String
    /// The offset of the chunk, which begins with its length.
    var byteOffset: Int
    /// The range of its data in the file.
    var data: Range<Int>
  }

  static let signatureSize = 8
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  func makeIterator() -> Iterator {
    Iterator(cursor: ByteCursor(bytes, order: .bigEndian, at: Self.signatureSize))
  }

  struct Iterator: IteratorProtocol {
    var cursor: ByteCursor

    mutating func next() -> Chunk? {
      let start = cursor.position
      guard let length = try? cursor.read(UInt32.self), let name = try? cursor.take(4) else {
        return nil
      }
      let data = cursor.position..<cursor.position + Int(length)
      // For a truncated chunk, moves to the end of the file, where the iteration ends.
      if (try? cursor.skip(Int(length) + 4)) == nil { try? cursor.skip(cursor.remaining) }
      return Chunk(name: String(decoding: name, as: UTF8.self), byteOffset: start, data: data)
    }
  }
}

extension PNGChunks {
  /// Reads the size of the picture from the header.
  func size() throws(ImageError) -> PixelSize {
    var cursor = ByteCursor(bytes, order: .bigEndian, at: Self.signatureSize)
    let length: UInt32 = try cursor.read()
    let name = try cursor.take(4)
    guard length == 13, name.elementsEqual("IHDR".utf8) else {
      throw ImageError(
        .malformed, "the file does not begin with a header (IHDR)", byteOffset: Self.signatureSize)
    }
    let width: UInt32 = try cursor.read()
    let height: UInt32 = try cursor.read()
    return PixelSize(width: Int(width), height: Int(height))
  }

  /// Checks that all chunks up to IEND lie in the file.
  ///
  /// This guarantees that libpng never reads past the end of the file, and rejects a short file
  /// that announces a chunk of 2 GB before anything is read.
  func checkCompleteness() throws(ImageError) {
    var last: Chunk?
    for chunk in self {
      guard chunk.data.upperBound + 4 <= bytes.count else {
        throw ImageError(
          .malformed,
          "the file ends inside the chunk \(chunk.name), which has \(chunk.data.count) bytes",
          byteOffset: chunk.byteOffset)
      }
      if chunk.name == "IEND" { return }
      last = chunk
    }
    throw ImageError(
      .malformed, "the file ends after the chunk \(last?.name ?? "IHDR"), without IEND",
      byteOffset: bytes.count)
  }

  /// Rejects animations, because their first frame alone may not be the wanted picture.
  func rejectAnimation() throws(ImageError) {
    for chunk in self {
      // An animation's acTL chunk precedes the image data.
      if chunk.name == "IDAT" { return }
      guard chunk.name == "acTL" else { continue }
      var cursor = ByteCursor(bytes, order: .bigEndian, at: chunk.data.lowerBound)
      guard let frames = try? cursor.read(UInt32.self), frames > 1 else { return }
      throw ImageError(
        .unsupported,
        "this PNG is animated (\(frames) frames), and a picture is one: "
          + "'ffmpeg -f apng -i IN.png frame-%04d.png' makes a PNG of each frame",
        byteOffset: chunk.byteOffset)
    }
  }

  /// The orientation, if its chunk is intact; it is needed before libpng reads the chunk.
  var orientation: Orientation {
    guard let chunk = first(where: { $0.name == "eXIf" }), chunk.data.upperBound <= bytes.count
    else { return .up }
    var warnings: [String] = []
    let block = UnsafeRawBufferPointer(rebasing: bytes[chunk.data])
    return EXIF.orientation(in: block, warnings: &warnings)
  }

  /// The size of each text in the file, and whether it may be compressed.
  var texts: some Sequence<(byteCount: Int, isPacked: Bool)> {
    lazy.filter { ["tEXt", "zTXt", "iTXt"].contains($0.name) }.map {
      (byteCount: $0.data.count, isPacked: $0.name != "tEXt")
    }
  }

  /// Returns the chunk that contains an offset in the file.
  func chunk(at position: Int) -> Chunk? {
    first { position <= $0.data.upperBound + 4 }
  }
}
