/// A table of the schema with its fields.
///
/// The decoder reads fields by their indices alone. This description serves code that processes a
/// whole model generically, such as the tests that set each number of a file to its extremes.
package struct TableSchema: Sendable {
  /// The type of a field.
  package enum Content: Sendable {
    /// A number, a string, or a vector of numbers.
    case value(FlatKind)
    /// The bytes of FlexBuffers, such as the options of custom operators.
    case flexBuffer
    /// A table.
    case table(TableSchema)
    /// A vector of tables.
    case tables(TableSchema)
    /// One of several tables, by the tag that another field holds.
    case union(tag: Int, members: [Int: TableSchema])
  }

  package struct Field: Sendable {
    /// The index of the field in the table, which identifies it in a file.
    package let position: Int
    /// The field's name in schema.fbs.
    package let name: String
    package let content: Content

    init(_ position: Int, _ name: String, _ content: Content) {
      (self.position, self.name, self.content) = (position, name, content)
    }

    init(_ position: Int, _ name: String, _ kind: FlatKind) {
      self.init(position, name, .value(kind))
    }
  }

  /// The table's name in schema.fbs, such as `QuantizationParameters`.
  package let name: String
  package let fields: [Field]

  init(_ name: String, _ fields: [Field]) {
    (self.name, self.fields) = (name, fields)
  }

  /// Makes the schema of an operator's options.
  init(_ options: OptionsSchema) {
    self.init(
      options.name,
      options.fields.enumerated().compactMap { position, field in
        field.kind.map { Field(position, field.name, $0) }
      })
  }
}

extension TableSchema {
  /// Returns all tables of a model, from the root on, as values that can be changed and written.
  ///
  /// - Throws: what is wrong with the file, all of which is checked first.
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

  /// Converts values by field names to values by field indices.
  package func fields(_ values: [String: FlatValue]) -> FlatFields {
    Dictionary(uniqueKeysWithValues: values.map { (self[$0].position, $1) })
  }
}

extension TableSchema.Field {
  /// Returns the table type of the field, or of its elements; for a union, the member with this
  /// tag.
  package func table(tag: Int = 0) -> TableSchema? {
    switch content {
    case .table(let schema), .tables(let schema): schema
    case .union(_, let members): members[tag]
    case .value, .flexBuffer: nil
    }
  }
}
