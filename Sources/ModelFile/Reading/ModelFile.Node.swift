extension ModelFile {
  /// A node of a graph: an operator, and what it works on.
  public struct Node: Sendable {
    private let record: OperatorRecord
    private let code: OperatorCodeRecord
    /// Keeps the memory that the record points to.
    private let owner: ModelBytes
    /// Its position among the nodes of its graph.
    public let index: Int

    init(record: OperatorRecord, code: OperatorCodeRecord, index: Int, owner: ModelBytes) {
      self.record = record
      self.code = code
      self.index = index
      self.owner = owner
    }

    /// The schema's name of its operator, such as `CONV_2D`, or the custom one's.
    public var operatorName: String { code.name }
    /// Whether the operator is none of the schema's.
    public var isCustom: Bool { code.isCustom }
    /// The version of the operator.
    public var version: Int { code.version }
    /// The tensors that it reads; `nil` for an optional one that is left out.
    public var inputs: [Int?] { record.inputs.map { $0 < 0 ? nil : $0 } }
    /// The tensors that it makes.
    public var outputs: [Int] { record.outputs }

    /// The options by the schema's names, in its order: those that the file has.
    ///
    /// What is left out has the schema's default, which is 0 but for a few. Enumerations are numbers,
    /// as in the schema: a `padding` of 1 is `VALID`.
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

    /// The bytes of a custom operator's options; empty where there are none.
    public var customOptionBytes: [UInt8] {
      withExtendedLifetime(owner) { Array(record.customOptions) }
    }

    /// The same as values, where they are FlexBuffers, which they are as a rule; `nil` where there are none.
    public func customOptions() throws(ModelFileError) -> OptionValue? {
      if record.customOptions.isEmpty { return nil }
      defer { withExtendedLifetime(owner) {} }
      return OptionValue(try FlexValue(decoding: record.customOptions))
    }
  }

  /// An option of a node.
  public struct Option: Sendable, Hashable {
    /// As in the schema: `stride_w`.
    public let name: String
    /// Its value.
    public let value: OptionValue
  }
}
