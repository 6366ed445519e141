import OcellusModelFile

/// A model with something that it lacked, in which numbers are then changed.
struct ModelVariant {
  /// What it has that the model has not; empty for the model itself.
  let name: String
  var fields: FlatFields
  /// The table whose numbers are changed, with all tables in it.
  let path: FlatPath
  let schema: TableSchema

  /// The bytes of a .tflite file.
  var bytes: [UInt8] { FlatBufferBuilder.file(identifier: ModelFile.identifier, root: fields) }

  private init(_ name: String, _ fields: FlatFields, at path: FlatPath, _ schema: TableSchema) {
    (self.name, self.fields, self.path, self.schema) = (name, fields, path, schema)
  }

  /// The model itself, and all variants of it.
  static func all(of fields: FlatFields, fileName: String) -> [ModelVariant] {
    [ModelVariant("", fields, at: FlatPath(), .model)]
      + signatures(of: fields) + metadata(of: fields) + distantBuffers(of: fields)
      + tensors(of: fields, fileName: fileName)
  }

  // MARK: Parts of the whole model

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
    var changed = fields
    changed[field.position] = .tables([
      schema.fields([
        "signature_key": .string("s"), "inputs": maps("inputs"), "outputs": maps("outputs"),
      ])
    ])
    let path = FlatPath().appending(field, element: 0)
    return [ModelVariant("with a signature", changed, at: path, schema)]
  }

  private static func metadata(of fields: FlatFields) -> [ModelVariant] {
    let field = TableSchema.model["metadata"]
    guard fields.list(field).isEmpty, let schema = field.table() else { return [] }
    var changed = fields
    changed[field.position] = .tables([
      schema.fields(["name": .string(ModelMetadata.entryName), "buffer": .uint32(0)])
    ])
    let path = FlatPath().appending(field, element: 0)
    return [ModelVariant("with metadata", changed, at: path, schema)]
  }

  /// Each buffer whose bytes lie elsewhere in the file.
  private static func distantBuffers(of fields: FlatFields) -> [ModelVariant] {
    let field = TableSchema.model["buffers"]
    guard let schema = field.table() else { return [] }
    return fields.list(field).enumerated().compactMap { element, buffer in
      guard let count = buffer[schema["data"].position]?.elementCount, count > 0 else {
        return nil
      }
      let path = FlatPath().appending(field, element: element)
      var changed = fields
      changed.change(at: path) { buffer in
        // What lies there is no matter; the head of every file is longer than small constants.
        buffer = schema.fields(["offset": .uint64(8), "size": .uint64(UInt64(count))])
      }
      return ModelVariant("with data elsewhere in the file", changed, at: path, schema)
    }
  }

  // MARK: Tensors

  private static func tensors(of fields: FlatFields, fileName: String) -> [ModelVariant] {
    let graphs = TableSchema.model["subgraphs"]
    guard let field = graphs.table()?["tensors"], let schema = field.table() else { return [] }
    var variants: [ModelVariant] = []
    for (graph, table) in fields.list(graphs).enumerated() {
      for (element, tensor) in table.list(field).enumerated() {
        let path = FlatPath().appending(graphs, element: graph).appending(field, element: element)
        for (name, changes) in changes(of: tensor, schema) {
          var changed = fields
          changed.change(at: path) { $0.merge(changes) { $1 } }
          variants.append(ModelVariant(name, changed, at: path, schema))
        }
        let distant = distant(path, schema, of: fields, fileName: fileName)
        // What says where the other file is is the same for all of them.
        variants += graph == 0 && element == 0 ? distant : Array(distant.prefix(1))
      }
    }
    return variants
  }

  /// A tensor whose value is in another file, and what says where.
  private static func distant(
    _ path: FlatPath, _ schema: TableSchema, of fields: FlatFields, fileName: String
  ) -> [ModelVariant] {
    let changed = fields.withExternalBuffer(for: path, schema, fileName: fileName)
    let name = "with data in another file"
    let others = ["external_buffer_groups", "external_buffers"].compactMap {
      field -> ModelVariant? in
      let field = TableSchema.model[field]
      return field.table().map {
        ModelVariant(name, changed, at: FlatPath().appending(field, element: 0), $0)
      }
    }
    return [ModelVariant(name, changed, at: path, schema)] + others
  }

  /// What a tensor may have beside what it has.
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

  /// The model with a tensor whose value is the beginning of a file beside it.
  fileprivate func withExternalBuffer(
    for path: FlatPath, _ schema: TableSchema, fileName: String
  ) -> FlatFields {
    let model = TableSchema.model
    guard let group = model["external_buffer_groups"].table(),
      let buffer = model["external_buffers"].table()
    else { return self }
    var changed = self
    changed.merge(
      model.fields([
        "external_buffer_groups": .tables([group.fields(["name": .string(fileName)])]),
        "external_buffers": .tables([
          buffer.fields(["id": .uint32(1), "group": .uint32(0), "length": .uint64(64)])
        ]),
      ])
    ) { $1 }
    changed.change(at: path) { tensor in
      tensor.merge(schema.fields(["external_buffer": .uint32(1), "buffer": .uint32(0)])) { $1 }
    }
    return changed
  }
}

extension TableSchema {
  /// Details of each kind, of quantization.
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

  /// The sparsity of a tensor whose elements are all stored: a list of indices along the last axis.
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
