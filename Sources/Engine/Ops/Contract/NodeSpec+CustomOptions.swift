package import OcellusModelFile

extension NodeSpec {
  /// Returns the first fields of custom options that are a C structure of 32-bit integers.
  package func structOptions(count: Int) throws(ModelError) -> [Int] {
    try require(
      customOptions.count >= 4 * count, "the options have \(customOptions.count) bytes")
    return (0..<count).map {
      Int(Int32(littleEndian: customOptions.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self)))
    }
  }

  /// Returns the options of a custom operator that are a FlexBuffer; null if there are none.
  package func flexOptions() throws(ModelError) -> FlexValue {
    guard !customOptions.isEmpty else { return .null }
    do { return try FlexValue(decoding: customOptions) } catch {
      throw self.error(error.description, .malformed)
    }
  }
}
