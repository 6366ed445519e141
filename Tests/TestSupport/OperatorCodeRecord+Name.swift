package import OcellusModelFile

extension OperatorCodeRecord {
  /// Creates the code of a built-in operator from its name in the schema.
  ///
  /// - Precondition: the schema contains the name.
  package init(named name: String, version: Int = 1) {
    guard let code = BuiltinOperator.code(named: name) else {
      preconditionFailure("no operator is called \(name)")
    }
    self.init(builtinCode: code, version: version)
  }
}
