/// A table of the schema: what each of its fields holds.
///
/// The decoder reads fields by their positions alone. This description serves what goes through a whole
/// model whatever is in it, such as the tests that set each number of a file to its extremes.
package struct TableSchema: Sendable {
  /// What a field holds.
  package enum Content: Sendable {
    /// A number, a text, or a list of numbers.
    case value(FlatKind)
    /// The bytes of FlexBuffers, as custom operators have them for options.
    case flexBuffer
    /// A table.
    case table(TableSchema)
    /// A list of tables.
    case tables(TableSchema)
    /// One of several tables, by the number that another field holds.
    case union(tag: Int, members: [Int: TableSchema])
  }

  package struct Field: Sendable {
    /// Its place among the table's fields, which is its identity in a file.
    package let position: Int
    /// As in schema.fbs.
    package let name: String
    package let content: Content

    init(_ position: Int, _ name: String, _ content: Content) {
      (self.position, self.name, self.content) = (position, name, content)
    }

    init(_ position: Int, _ name: String, _ kind: FlatKind) {
      self.init(position, name, .value(kind))
    }
  }

  /// As in schema.fbs, such as `QuantizationParameters`.
  package let name: String
  package let fields: [Field]

  init(_ name: String, _ fields: [Field]) {
    (self.name, self.fields) = (name, fields)
  }

  /// The options of an operator.
  init(_ options: OptionsSchema) {
    self.init(
      options.name,
      options.fields.enumerated().compactMap { position, field in
        field.kind.map { Field(position, field.name, $0) }
      })
  }
}

extension TableSchema {
  /// All tables of a model, from the root on, as values that can be changed and written again.
  ///
  /// - Throws: what is wrong with the file, which is checked as a whole first.
  package static func fields(ofModel bytes: [UInt8]) throws(ModelFileError) -> FlatFields {
    let owner = ModelBytes(bytes)
    defer { withExtendedLifetime(owner) {} }
    _ = try ModelFile(owner)
    return try model.fields(
      of: FlatTable.root(of: ByteReader(owner.buffer), identifier: ModelFile.identifier))
  }

  private func fields(of table: FlatTable) throws(ModelFileError) -> FlatFields {
    var values: FlatFields = [:]
    for field in fields { values[field.position] = try value(of: field, in: table) }
    return values
  }

  private func value(of field: Field, in table: FlatTable) throws(ModelFileError) -> FlatValue? {
    switch field.content {
    case .value(let kind): return try table.value(field.position, kind)
    case .flexBuffer: return try table.value(field.position, .bytes)
    case .table(let schema):
      guard let inner = try table.table(field.position) else { return nil }
      return .table(try schema.fields(of: inner))
    case .tables(let schema):
      guard let vector = try table.tables(field.position) else { return nil }
      var tables: [FlatFields] = []
      for index in vector.indices { tables.append(try schema.fields(of: vector[index])) }
      return .tables(tables)
    case .union(let tag, let members):
      let tag = try table.integer(tag, as: UInt8.self)
      guard let schema = members[tag], let inner = try table.table(field.position) else {
        return nil
      }
      return .table(try schema.fields(of: inner))
    }
  }
}

extension TableSchema {
  /// The field with a name of schema.fbs; there must be one.
  package subscript(name: String) -> Field {
    guard let field = fields.first(where: { $0.name == name }) else {
      preconditionFailure("\(self.name) has no field \(name)")
    }
    return field
  }

  /// Values by the names of their fields.
  package func fields(_ values: [String: FlatValue]) -> FlatFields {
    Dictionary(uniqueKeysWithValues: values.map { (self[$0].position, $1) })
  }
}

extension TableSchema.Field {
  /// The table that the field holds, or a list of, or with a tag if it may hold several.
  package func table(tag: Int = 0) -> TableSchema? {
    switch content {
    case .table(let schema), .tables(let schema): schema
    case .union(_, let members): members[tag]
    case .value, .flexBuffer: nil
    }
  }
}
