/// The fields of one table of options.
///
/// Operators decode their own options. This description serves code that processes the options of
/// every operator, to verify, copy or print them.
package struct OptionsSchema: Sendable {
  package struct Field: Sendable {
    /// The field's name in schema.fbs.
    package let name: String
    /// The type of the field; `nil` for a deprecated field, which is never read.
    package let kind: FlatKind?

    /// Whether the field holds indices of subgraphs that the operator calls.
    package var refersToSubgraphs: Bool {
      name.hasSuffix("subgraph_index") || name.hasSuffix("subgraph_indices")
    }
  }

  /// The table's name in schema.fbs, such as `Conv2DOptions`.
  package let name: String
  /// Pairs rather than fields, so that all tables are static data that needs no code to initialise
  /// it.
  private let namesAndKinds: [(name: String, kind: FlatKind?)]

  package var fields: [Field] { namesAndKinds.map { Field(name: $0.name, kind: $0.kind) } }

  init(_ name: String, _ fields: [(name: String, kind: FlatKind?)] = []) {
    self.name = name
    namesAndKinds = fields
  }

  /// Returns the table with a tag of ``BuiltinOptionsTag``.
  package static func builtinOptions(tag: Int) -> OptionsSchema? {
    builtinOptions.indices.contains(tag - 1) ? builtinOptions[tag - 1] : nil
  }

  /// Returns the table with a tag of ``BuiltinOptions2Tag``.
  package static func builtinOptions2(tag: Int) -> OptionsSchema? {
    builtinOptions2.indices.contains(tag - 1) ? builtinOptions2[tag - 1] : nil
  }

  /// Returns the fields that a table has, by their index.
  package func values(of table: FlatTable) throws(ModelFileError) -> FlatFields {
    var values: FlatFields = [:]
    for (index, field) in namesAndKinds.enumerated() {
      if let kind = field.kind { values[index] = try table.value(index, kind) }
    }
    return values
  }

  /// Checks every field of a table, and returns the number of elements in its vectors.
  func verify(_ table: FlatTable) throws(ModelFileError) -> Int {
    var elements = 0
    for (index, field) in namesAndKinds.enumerated() {
      if let kind = field.kind { elements += try table.verify(index, kind) }
    }
    return elements
  }
}
