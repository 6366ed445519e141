package import OcellusModelFile

extension OperatorCodeRecord {
  /// A builtin operator by the schema's name.
  ///
  /// - Precondition: the schema has it.
  package init(named name: String, version: Int = 1) {
    guard let code = BuiltinOperator.code(named: name) else {
      preconditionFailure("no operator is called \(name)")
    }
    self.init(builtinCode: code, version: version)
  }
}
