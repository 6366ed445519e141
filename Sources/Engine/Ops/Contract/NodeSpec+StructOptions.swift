extension NodeSpec {
  /// The first fields of custom options that are a C structure of 32-bit integers.
  package func structOptions(count: Int) throws(ModelError) -> [Int] {
    try require(
      customOptions.count >= 4 * count, "the options have \(customOptions.count) bytes")
    return (0..<count).map {
      Int(Int32(littleEndian: customOptions.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self)))
    }
  }
}
