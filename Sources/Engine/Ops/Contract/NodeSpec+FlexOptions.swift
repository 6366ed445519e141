package import OcellusModelFile

extension NodeSpec {
  /// The options of a custom operator, which are a FlexBuffer; nothing in them if there are none.
  package func flexOptions() throws(ModelError) -> FlexValue {
    guard !customOptions.isEmpty else { return .null }
    do { return try FlexValue(decoding: customOptions) } catch {
      throw self.error(error.description, .malformed)
    }
  }
}
