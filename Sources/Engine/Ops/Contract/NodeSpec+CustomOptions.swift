package import OcellusModelFile

extension NodeSpec {
  /// The first fields of custom options that are a C structure of 32-bit integers.
  package func structOptions(count: Int) throws(ModelError) -> [Int] {
    try require(
      customOptions.count >= 4 * count, "the options have \(customOptions.count) bytes")
    return (0..<count).map {
      Int(Int32(littleEndian: customOptions.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self)))
    }
  }

  /// The options of a custom operator, which are a FlexBuffer; nothing in them if there are none.
  package func flexOptions() throws(ModelError) -> FlexValue {
    guard !customOptions.isEmpty else { return .null }
    do { return try FlexValue(decoding: customOptions) } catch {
      throw self.error(error.description, .malformed)
    }
  }
}
