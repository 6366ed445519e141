/// An entry of the model's operator table: an operator and its version.
package struct OperatorCodeRecord: Sendable, Hashable {
  package var builtinCode: Int
  package var customCode: String?
  /// The version as stored: the official runtime has no operator of version 0.
  package var version: Int

  package init(builtinCode: Int, customCode: String? = nil, version: Int = 1) {
    self.builtinCode = builtinCode
    self.customCode = customCode
    self.version = version
  }

  package var isCustom: Bool { builtinCode == BuiltinOperator.custom }

  /// The operator's name in the schema, such as `CONV_2D`, or the custom operator's own name.
  package var name: String {
    isCustom ? customCode ?? "" : BuiltinOperator.name(of: builtinCode)
  }
}
