/// The fields of one table of options.
///
/// Operators decode their own options; this description serves what has to go through options of
/// every operator: verifying, copying and printing them.
package struct OptionsSchema: Sendable {
  package struct Field: Sendable {
    /// As in schema.fbs.
    package let name: String
    /// nil for a field out of use, which is never read.
    package let kind: FlatKind?

    /// Whether the field holds indices of subgraphs that the operator calls.
    package var refersToSubgraphs: Bool {
      name.hasSuffix("subgraph_index") || name.hasSuffix("subgraph_indices")
    }
  }

  /// As in schema.fbs, such as `Conv2DOptions`.
  package let name: String
  /// In pairs, so that the tables of all operators are data of the program that nothing makes.
  private let namesAndKinds: [(name: String, kind: FlatKind?)]

  package var fields: [Field] { namesAndKinds.map { Field(name: $0.name, kind: $0.kind) } }

  init(_ name: String, _ fields: [(name: String, kind: FlatKind?)] = []) {
    self.name = name
    namesAndKinds = fields
  }

  /// The table with a tag of ``BuiltinOptionsTag``.
  package static func builtinOptions(tag: Int) -> OptionsSchema? {
    builtinOptions.indices.contains(tag - 1) ? builtinOptions[tag - 1] : nil
  }

  /// The table with a tag of ``BuiltinOptions2Tag``.
  package static func builtinOptions2(tag: Int) -> OptionsSchema? {
    builtinOptions2.indices.contains(tag - 1) ? builtinOptions2[tag - 1] : nil
  }

  /// The fields that a table has, by their position.
  package func values(of table: FlatTable) throws(ModelFileError) -> FlatFields {
    var values: FlatFields = [:]
    for (index, field) in namesAndKinds.enumerated() {
      if let kind = field.kind { values[index] = try table.value(index, kind) }
    }
    return values
  }

  /// Checks every field of a table and counts the elements of its vectors.
  func verify(_ table: FlatTable) throws(ModelFileError) -> Int {
    var elements = 0
    for (index, field) in namesAndKinds.enumerated() {
      if let kind = field.kind { elements += try table.verify(index, kind) }
    }
    return elements
  }
}
