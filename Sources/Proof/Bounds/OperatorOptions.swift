import OcellusModelFile

/// The options of a node by their names in schema.fbs, as read from the file alone: nothing of the
/// engine's own decoding is believed.
struct OperatorOptions {
  private var values: [String: FlatValue] = [:]

  init(_ node: OperatorRecord) {
    guard let table = node.options.table,
      let schema = OptionsSchema.builtinOptions(tag: node.options.tag),
      let fields = try? schema.values(of: table)
    else { return }
    for (index, field) in schema.fields.enumerated() {
      if let value = fields[index] { values[field.name] = value }
    }
  }

  func integer(_ name: String, default standard: Int = 0) -> Int {
    switch values[name] {
    case .int8(let number): Int(number)
    case .int32(let number): Int(number)
    default: standard
    }
  }

  func flag(_ name: String) -> Bool { values[name] == .bool(true) }

  func float(_ name: String) -> Double {
    if case .float(let number)? = values[name] { Double(number) } else { 0 }
  }

  /// The range that the fused activation clamps to; `nil` if it is no clamp.
  var clamp: ClosedRange<Double>? {
    switch integer("fused_activation_function") {
    case 0: -.infinity ... .infinity
    case 1: 0 ... .infinity
    case 2: -1...1
    case 3: 0...6
    default: nil
    }
  }
}
