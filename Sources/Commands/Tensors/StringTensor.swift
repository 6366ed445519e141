import OcellusModelFile

/// TensorFlow Lite's encoding of string tensors: the count, the offsets of all beginnings and the end
/// from the start of the tensor, all 32 bits, then the bytes.
enum StringTensor {
  /// The encoding of texts.
  static func bytes(of texts: [[UInt8]]) -> [UInt8] {
    var offset = 4 * (texts.count + 2)
    var header = word(texts.count) + word(offset)
    for text in texts {
      offset += text.count
      header += word(offset)
    }
    return header + texts.flatMap { $0 }
  }

  /// The texts of an encoding; nil if it is malformed.
  static func texts(in bytes: [UInt8]) -> [[UInt8]]? {
    bytes.withUnsafeBytes { bytes in
      guard let strings = try? PackedStrings(validating: bytes) else { return nil }
      return (0..<strings.count).map { Array(strings[$0]) }
    }
  }

  private static func word(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: Int32(truncatingIfNeeded: number).littleEndian) { Array($0) }
  }
}
