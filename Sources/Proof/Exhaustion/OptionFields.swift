import OcellusModelFile

/// The options of a node by their names in the schema.
struct OptionFields {
  private let schema: OptionsSchema?
  private let fields: FlatFields

  init(_ node: OperatorRecord) {
    schema = OptionsSchema.builtinOptions(tag: node.options.tag)
    if let table = node.options.table, let schema {
      fields = (try? schema.values(of: table)) ?? [:]
    } else {
      fields = [:]
    }
  }

  func integer(_ name: String, default fallback: Int) -> Int {
    switch value(name) {
    case .int8(let number): Int(number)
    case .int32(let number): Int(number)
    default: fallback
    }
  }

  func float(_ name: String) -> Float {
    if case .float(let number) = value(name) { return number }
    return 0
  }

  private func value(_ name: String) -> FlatValue? {
    schema?.fields.firstIndex { $0.name == name }.flatMap { fields[$0] }
  }
}
