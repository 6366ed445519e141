import OcellusArrays

/// A file format of pictures.
public enum ImageFormat: String, CaseIterable, Hashable, Sendable {
  /// Portable Network Graphics.
  case png
  /// JPEG, baseline and progressive.
  case jpeg
  /// The portable anymaps: PGM and PPM, in text and in binary, and PAM.
  case pnm
  /// Windows bitmaps.
  case bmp
  /// NumPy arrays that hold a picture.
  case npy
}

extension ImageFormat {
  /// Detects the format from the first bytes of a file, regardless of its name.
  public init(detecting bytes: UnsafeRawBufferPointer) throws(ImageError) {
    guard let format = Self.allCases.first(where: { $0.isBeginning(of: bytes) }) else {
      throw Self.unknown(bytes)
    }
    self = format
  }

  private func isBeginning(of bytes: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .png: bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
    case .pnm:
      bytes.count > 2 && bytes[0] == UInt8(ascii: "P") && "23567".utf8.contains(bytes[1])
        && bytes[2].isBlank
    case .bmp: bytes.starts(with: "BM".utf8)
    case .npy: bytes.starts(with: NPYArray.magic)
    }
  }

  private static func unknown(_ bytes: UnsafeRawBufferPointer) -> ImageError {
    if bytes.isEmpty { return ImageError(.malformed, "the file is empty") }
    // The PNG signature is designed to reveal damage by mail programs and text-mode transfers.
    if bytes.dropFirst().starts(with: "PNG".utf8) || bytes.starts(with: "PNG".utf8) {
      return ImageError(
        .malformed, "the signature of this PNG file is damaged; was it transferred as text?",
        byteOffset: 0)
    }
    if let unsupportedFormat = UnsupportedFormat(detecting: bytes) {
      return ImageError(.unsupported, unsupportedFormat.advice)
    }
    return ImageError(
      .unsupported, "the file is none of PNG, JPEG, PPM, PGM, PAM, BMP and NPY", byteOffset: 0)
  }
}

extension UInt8 {
  /// Whether the byte is white space in text-based formats.
  var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
