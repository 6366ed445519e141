/// The options of a builtin operator: a table, and the tag that identifies its type.
package struct OptionsTable: Sendable {
  package static let none = OptionsTable(tag: 0, table: nil)

  /// A value of ``BuiltinOptionsTag`` or ``BuiltinOptions2Tag``; 0 for no options.
  package let tag: Int
  /// The table; `nil` if there are no options or the tag is not in the schema.
  package let table: FlatTable?

  init(tag: Int, table: FlatTable?) {
    self.tag = tag
    self.table = table
  }

  /// Returns the table if it has this tag.
  ///
  /// The official runtime runs an operator without options, or with those of another operator, as
  /// if every option were zero.
  package func table(ifTagged tag: Int) -> FlatTable? { tag == self.tag ? table : nil }
}
