package import OcellusModelFile

/// A model with an added feature, whose numbers are then mutated.
package struct ModelVariant {
  /// A function that adds a feature to a model.
  typealias Addition = @Sendable (inout FlatFields) -> Void

  /// A description of the added feature; empty for the original model.
  package let name: String
  /// The table to be mutated, with all tables in it.
  package let path: FlatPath
  package let schema: TableSchema
  /// Adds the feature on demand: a large model has more variants than memory could hold.
  private let add: Addition

  private init(
    _ name: String, at path: FlatPath, _ schema: TableSchema, add: @escaping Addition
  ) {
    (self.name, self.path, self.schema, self.add) = (name, path, schema, add)
  }

  /// Returns the variant's fields, given those of the original model.
  package func fields(of model: FlatFields) -> FlatFields {
    var fields = model
    add(&fields)
    return fields
  }

  /// Returns the original model and all its variants, each made on demand.
  package static func all(of fields: FlatFields, fileName: String) -> some Sequence<ModelVariant> {
    let model = ModelVariant("", at: FlatPath(), .model) { _ in }
    let parts: [() -> [ModelVariant]] =
      [{ [model] }, { signatures(of: fields) }, { metadata(of: fields) }]
      + [{ distantBuffers(of: fields) }] + tensors(of: fields, fileName: fileName)
    return parts.lazy.flatMap { $0() }
  }

  // MARK: Features of the whole model

  private static func signatures(of fields: FlatFields) -> [ModelVariant] {
    let field = TableSchema.model["signature_defs"]
    guard fields.list(field).isEmpty, let schema = field.table(),
      let graphs = TableSchema.model["subgraphs"].table()
    else { return [] }
    let graph = fields.list(TableSchema.model["subgraphs"]).first ?? [:]
    func maps(_ name: String) -> FlatValue {
      guard let map = schema[name].table(), case .int32s(let list) = graph[graphs[name].position]
      else { return .tables([]) }
      return .tables(
        list.enumerated().map { position, tensor in
          map.fields([
            "name": .string("\(name) \(position)"),
            "tensor_index": .uint32(UInt32(truncatingIfNeeded: tensor)),
          ])
        })
    }
    let signature = schema.fields([
      "signature_key": .string("s"), "inputs": maps("inputs"), "outputs": maps("outputs"),
    ])
    let path = FlatPath().appending(field, element: 0)
    return [
      ModelVariant("with a signature", at: path, schema) {
        $0[field.position] = .tables([signature])
      }
    ]
  }

  private static func metadata(of fields: FlatFields) -> [ModelVariant] {
    let field = TableSchema.model["metadata"]
    guard fields.list(field).isEmpty, let schema = field.table() else { return [] }
    let entry = schema.fields(["name": .string(ModelMetadata.entryName), "buffer": .uint32(0)])
    let path = FlatPath().appending(field, element: 0)
    return [
      ModelVariant("with metadata", at: path, schema) { $0[field.position] = .tables([entry]) }
    ]
  }

  /// Returns a variant for each buffer whose bytes are at another offset of the file.
  private static func distantBuffers(of fields: FlatFields) -> [ModelVariant] {
    let field = TableSchema.model["buffers"]
    guard let schema = field.table() else { return [] }
    return fields.list(field).enumerated().compactMap { element, buffer in
      guard let count = buffer[schema["data"].position]?.elementCount, count > 0 else {
        return nil
      }
      let path = FlatPath().appending(field, element: element)
      return ModelVariant("with data elsewhere in the file", at: path, schema) { fields in
        fields.change(at: path) { buffer in
          // The contents do not matter; the file's start is long enough for small constants.
          buffer = schema.fields(["offset": .uint64(8), "size": .uint64(UInt64(count))])
        }
      }
    }
  }

  // MARK: Tensors

  /// Returns functions that make the variants of each tensor.
  private static func tensors(
    of fields: FlatFields, fileName: String
  ) -> [() -> [ModelVariant]] {
    let graphs = TableSchema.model["subgraphs"]
    guard let field = graphs.table()?["tensors"], let schema = field.table() else { return [] }
    return fields.list(graphs).enumerated().flatMap { graph, table in
      table.list(field).enumerated().map { element, tensor in
        let path = FlatPath().appending(graphs, element: graph).appending(field, element: element)
        let isFirst = graph == 0 && element == 0
        return {
          changes(of: tensor, schema).map { name, changes in
            ModelVariant(name, at: path, schema) { fields in
              fields.change(at: path) { $0.merge(changes) { $1 } }
            }
          } + distant(path, schema, fileName: fileName, namingFiles: isFirst)
        }
      }
    }
  }

  /// Returns the variant with a tensor's value in an external file.
  ///
  /// With `namingFiles`, it also returns variants for the tables that locate the file.
  private static func distant(
    _ path: FlatPath, _ schema: TableSchema, fileName: String, namingFiles: Bool
  ) -> [ModelVariant] {
    func variant(at tablePath: FlatPath, _ tableSchema: TableSchema) -> ModelVariant {
      ModelVariant("with data in another file", at: tablePath, tableSchema) {
        $0.moveToExternalBuffer(path, schema, fileName: fileName)
      }
    }
    let files = namingFiles ? ["external_buffer_groups", "external_buffers"] : []
    let others = files.compactMap { name -> ModelVariant? in
      let field = TableSchema.model[name]
      return field.table().map { variant(at: FlatPath().appending(field, element: 0), $0) }
    }
    return [variant(at: path, schema)] + others
  }

  /// Returns the fields that can be added to a tensor.
  private static func changes(
    of tensor: FlatFields, _ schema: TableSchema
  ) -> [(name: String, changes: FlatFields)] {
    guard let quantization = schema["quantization"].table(),
      let sparsity = schema["sparsity"].table()
    else { return [] }
    var own = FlatFields()
    if case .table(let table) = tensor[schema["quantization"].position] { own = table }
    let plain = quantization.fields([
      "min": .floats([-1]), "max": .floats([1]), "scale": .floats([0.5]),
      "zero_point": .int64s([1]),
    ]).merging(own) { $1 }
    var found = quantization.details.map { name, details -> (name: String, changes: FlatFields) in
      let table = plain.merging(details) { $1 }
      return ("with \(name)", schema.fields(["quantization": .table(table)]))
    }
    found.append(("with quantization", schema.fields(["quantization": .table(plain)])))
    if let layout = sparsity.layout(ofShape: tensor.numbers(schema["shape"])) {
      found.append(("with sparsity", schema.fields(["sparsity": .table(layout)])))
    }
    return found
  }
}

extension FlatFields {
  fileprivate func list(_ field: TableSchema.Field) -> [FlatFields] {
    guard case .tables(let list) = self[field.position] else { return [] }
    return list
  }

  fileprivate func numbers(_ field: TableSchema.Field) -> [Int] {
    guard case .int32s(let list) = self[field.position] else { return [] }
    return list.map(Int.init)
  }

  /// Moves a tensor's value to the start of an external file beside the model.
  fileprivate mutating func moveToExternalBuffer(
    _ path: FlatPath, _ schema: TableSchema, fileName: String
  ) {
    let model = TableSchema.model
    guard let group = model["external_buffer_groups"].table(),
      let buffer = model["external_buffers"].table()
    else { return }
    merge(
      model.fields([
        "external_buffer_groups": .tables([group.fields(["name": .string(fileName)])]),
        "external_buffers": .tables([
          buffer.fields(["id": .uint32(1), "group": .uint32(0), "length": .uint64(64)])
        ]),
      ])
    ) { $1 }
    change(at: path) { tensor in
      tensor.merge(schema.fields(["external_buffer": .uint32(1), "buffer": .uint32(0)])) { $1 }
    }
  }
}

extension TableSchema {
  /// Details of quantization, one table for each type of details.
  fileprivate var details: [(name: String, FlatFields)] {
    guard case .union(_, let members) = self["details"].content else { return [] }
    return members.sorted { $0.key < $1.key }.map { tag, schema in
      var table = FlatFields()
      for field in schema.fields {
        switch field.content {
        case .value(.int32): table[field.position] = .int32(1)
        case .value(.int32s): table[field.position] = .int32s([Int32(0)])
        default: break
        }
      }
      return (
        schema.name, fields(["details_type": .uint8(UInt8(tag)), "details": .table(table)])
      )
    }
  }

  /// Returns the sparsity of a tensor that stores all elements, with indices along the last axis.
  fileprivate func layout(ofShape shape: [Int]) -> FlatFields? {
    guard let schema = self["dim_metadata"].table(), let last = shape.last,
      let count = elementCount(shape), (1...4096).contains(count)
    else { return nil }
    let dense = shape.dropLast().map { schema.fields(["dense_size": .int32(Int32($0))]) }
    func vector(_ name: String, _ values: [Int]) -> FlatValue? {
      schema[name].table(tag: 1).map { table in
        .table(table.fields(["values": .int32s(values.map(Int32.init))]))
      }
    }
    guard
      let segments = vector(
        "array_segments", Array(stride(from: 0, through: count, by: last))),
      let indices = vector(
        "array_indices", (0..<count).map { $0 % last })
    else { return nil }
    let sparse = schema.fields([
      "format": .int8(1), "array_segments_type": .uint8(1), "array_segments": segments,
      "array_indices_type": .uint8(1), "array_indices": indices,
    ])
    return fields([
      "traversal_order": .int32s(shape.indices.map(Int32.init)),
      "dim_metadata": .tables(dense + [sparse]),
    ])
  }
}
