extension ModelFile {
  /// A node of a graph: an operator with its operands and results.
  public struct Node: Sendable {
    private let record: OperatorRecord
    private let code: OperatorCodeRecord
    /// The owner of the memory that the record points to.
    private let owner: ModelBytes
    /// The index of the node in its graph.
    public let index: Int

    init(record: OperatorRecord, code: OperatorCodeRecord, index: Int, owner: ModelBytes) {
      self.record = record
      self.code = code
      self.index = index
      self.owner = owner
    }

    /// The operator's name in the schema, such as `CONV_2D`, or the custom operator's own name.
    public var operatorName: String { code.name }
    /// Whether the operator is not one of the schema's.
    public var isCustom: Bool { code.isCustom }
    /// The version of the operator.
    public var version: Int { code.version }
    /// The indices of the tensors that the node reads; `nil` for an optional one that is left out.
    public var inputs: [Int?] { record.inputs.map { $0 < 0 ? nil : $0 } }
    /// The indices of the tensors that the node writes.
    public var outputs: [Int] { record.outputs }

    /// Returns the options that the file has, by the schema's names and in its order.
    ///
    /// An option that is left out has the schema's default, which is nearly always 0. Enumerations
    /// are numbers, as in the schema: a `padding` of 1 is `VALID`.
    public func options() throws(ModelFileError) -> [Option] {
      defer { withExtendedLifetime(owner) {} }
      return try Self.options(record.options, OptionsSchema.builtinOptions(tag: record.options.tag))
        + Self.options(record.options2, OptionsSchema.builtinOptions2(tag: record.options2.tag))
    }

    private static func options(
      _ options: OptionsTable, _ schema: OptionsSchema?
    ) throws(ModelFileError) -> [Option] {
      guard let schema, let table = options.table else { return [] }
      let values = try schema.values(of: table)
      return schema.fields.enumerated().compactMap { index, field in
        values[index].flatMap(OptionValue.init).map { Option(name: field.name, value: $0) }
      }
    }

    /// The bytes of a custom operator's options; empty if there are none.
    public var customOptionBytes: [UInt8] {
      withExtendedLifetime(owner) { Array(record.customOptions) }
    }

    /// Returns the options of a custom operator as values; `nil` if there are none.
    ///
    /// They must be FlexBuffers, as custom operators' options usually are.
    public func customOptions() throws(ModelFileError) -> OptionValue? {
      if record.customOptions.isEmpty { return nil }
      defer { withExtendedLifetime(owner) {} }
      return OptionValue(try FlexValue(decoding: record.customOptions))
    }
  }

  /// An option of a node.
  public struct Option: Sendable, Hashable {
    /// The option's name in the schema, such as `stride_w`.
    public let name: String
    /// The option's value.
    public let value: OptionValue
  }
}
