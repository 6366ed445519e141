/// The options of a builtin operator: a table and the tag that says which table of the schema.
package struct OptionsTable: Sendable {
  package static let none = OptionsTable(tag: 0, table: nil)

  /// A value of ``BuiltinOptionsTag`` or ``BuiltinOptions2Tag``; 0 for no options.
  package let tag: Int
  /// nil when there are none or the tag is beyond the schema.
  package let table: FlatTable?

  init(tag: Int, table: FlatTable?) {
    self.tag = tag
    self.table = table
  }

  /// The table if it is the one with this tag.
  ///
  /// The official runtime runs an operator without its options, or with those of another operator,
  /// as if every option were zero.
  package func table(ifTagged tag: Int) -> FlatTable? { tag == self.tag ? table : nil }
}
