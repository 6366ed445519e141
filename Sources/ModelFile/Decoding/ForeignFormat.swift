/// A kind of file that people take for a TensorFlow Lite model, found by its first bytes.
enum ForeignFormat {
  private static let kinds: [(name: String, start: [UInt8], offset: Int)] = [
    ("a JPEG picture", [0xFF, 0xD8, 0xFF], 0),
    ("a PNG picture", [0x89] + Array("PNG".utf8), 0),
    ("a GIF picture", Array("GIF8".utf8), 0),
    ("a WebP picture", Array("WEBP".utf8), 8),
    ("a ZIP archive; unpack it, the model may be inside", Array("PK".utf8) + [3, 4], 0),
    ("a ZIP archive without files", Array("PK".utf8) + [5, 6], 0),
    ("compressed by gzip; unpack it", [0x1F, 0x8B], 0),
    ("compressed by xz; unpack it", [0xFD] + Array("7zXZ".utf8), 0),
    ("compressed by zstd; unpack it", [0x28, 0xB5, 0x2F, 0xFD], 0),
    ("compressed by bzip2; unpack it", Array("BZh".utf8), 0),
    ("a 7z archive; unpack it", Array("7z".utf8) + [0xBC, 0xAF], 0),
    ("a tar archive; unpack it", Array("ustar".utf8), 257),
    ("a Keras model in HDF5; TFLiteConverter converts it", [0x89] + Array("HDF".utf8), 0),
    ("a file of PyTorch or Python's pickle; convert it to TensorFlow Lite", [0x80, 2], 0),
    ("a NumPy array", [0x93] + Array("NUMPY".utf8), 0),
    ("a program", [0x7F] + Array("ELF".utf8), 0),
    ("a PDF document", Array("%PDF".utf8), 0),
    ("a pointer of Git LFS; 'git lfs pull' fetches the model", Array("version https:".utf8), 0),
    ("a web page, perhaps of a download that failed", Array("<!DOCTYPE".utf8), 0),
    ("a web page, perhaps of a download that failed", Array("<!doctype".utf8), 0),
    ("a web page, perhaps of a download that failed", Array("<html".utf8), 0),
    ("JSON, or text like it", Array("{".utf8), 0),
  ]

  /// Returns what a file is, if its first bytes say so.
  static func name(of bytes: UnsafeRawBufferPointer) -> String? {
    kinds.first { bytes.dropFirst($0.offset).starts(with: $0.start) }?.name
  }
}
