import OcellusModelFile

/// The options of an operator, by their names in the schema.
struct KernelOptions {
  private let tag: Int
  private let schema: OptionsSchema

  /// Tables of options that several operators share, or that are not named after their operator.
  private static let names: [String: String] = [
    "AVERAGE_POOL_2D": "Pool2DOptions", "MAX_POOL_2D": "Pool2DOptions",
    "L2_POOL_2D": "Pool2DOptions", "MEAN": "ReducerOptions", "SUM": "ReducerOptions",
    "REDUCE_MAX": "ReducerOptions", "REDUCE_MIN": "ReducerOptions", "REDUCE_PROD": "ReducerOptions",
    "REDUCE_ANY": "ReducerOptions", "REDUCE_ALL": "ReducerOptions",
    "L2_NORMALIZATION": "L2NormOptions",
  ]

  /// Options whose values have names.
  private static let words: [String: [String: Int]] = [
    "padding": ["same": 0, "valid": 1],
    "fused_activation_function": [
      "none": 0, "relu": 1, "relu_n1_to_1": 2, "relu6": 3, "tanh": 4,
    ],
  ]

  /// Finds the options of an operator; returns `nil` if it has none.
  init?(of operatorName: String) {
    let wanted = Self.names[operatorName].map(Self.plain) ?? Self.plain(operatorName) + "options"
    var tag = 1
    while let schema = OptionsSchema.builtinOptions(tag: tag) {
      if Self.plain(schema.name) == wanted {
        (self.tag, self.schema) = (tag, schema)
        return
      }
      tag += 1
    }
    return nil
  }

  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" }
  }

  /// Returns the table of options with these settings.
  ///
  /// Strides and dilations are 1 by default, and the weights determine a depth multiplier.
  func written(
    _ settings: [(name: String, value: String)], weights: [Int]?
  ) throws(UsageError) -> ModelWriter.Options {
    var fields: FlatFields = [:]
    for (index, field) in schema.fields.enumerated()
    where field.name.hasPrefix("stride_") || field.name.hasPrefix("dilation_")
      || field.name == "depth_multiplier"
    {
      fields[index] = .int32(1)
    }
    for (name, value) in settings {
      guard let index = schema.fields.firstIndex(where: { $0.name == name }) else {
        let names = schema.fields.map(\.name)
        let hint = Suggestion.text(for: name, among: names)
        throw UsageError(
          "\(schema.name) has no '\(name)'\(hint): it has \(names.joined(separator: ", "))")
      }
      fields[index] = try Self.value(value, of: schema.fields[index])
    }
    return ModelWriter.Options(tag: tag, fields)
  }

  private static func value(
    _ text: String, of field: OptionsSchema.Field
  ) throws(UsageError) -> FlatValue {
    let number = words[field.name]?[text.lowercased()] ?? Int(text)
    switch field.kind {
    case .int8:
      if let number, let value = Int8(exactly: number) { return .int8(value) }
    case .int32:
      if let number, let value = Int32(exactly: number) { return .int32(value) }
    case .float:
      if let value = Float(text) { return .float(value) }
    case .bool:
      if let value = Bool(text) { return .bool(value) }
    default: break
    }
    let known = words[field.name].map { ": " + $0.keys.sorted().joined(separator: ", ") } ?? ""
    throw UsageError("'\(text)' is no value for \(field.name)\(known)")
  }
}
