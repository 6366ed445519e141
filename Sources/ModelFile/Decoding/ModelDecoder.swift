/// Reads a model's records from its tables, and checks everything that they refer to.
struct ModelDecoder: RecordDecoder {
  /// All bytes of the file: large models store data after the FlatBuffer.
  let file: ByteReader
  let model: FlatTable
  let buffers: FlatVector
  var budget: DecodingBudget
  var externalBuffers: ExternalBuffers

  init(_ bytes: ModelBytes, policy: ExternalBufferPolicy) throws(ModelFileError) {
    file = ByteReader(bytes.buffer)
    // References reach no further than 2 GB, whatever follows in the file.
    let flatBuffer = UnsafeRawBufferPointer(rebasing: bytes.buffer.prefix(Int(Int32.max) - 1))
    do throws(ModelFileError) {
      model = try .root(of: ByteReader(flatBuffer), identifier: ModelFile.identifier)
    } catch {
      guard let name = ForeignFormat.name(of: flatBuffer) else { throw error }
      throw .malformed("this is no TensorFlow Lite model but \(name)", at: 0)
    }
    budget = DecodingBudget(byteCount: bytes.buffer.count)
    guard let buffers = try model.tables(ModelField.buffers) else {
      throw .malformed("the model has no list of buffers", at: model.byteOffset)
    }
    self.buffers = buffers
    externalBuffers = try ExternalBuffers(of: model, policy: policy)
  }

  /// Returns an object that keeps the records' pointers valid.
  func owner(keeping bytes: ModelBytes) -> ModelBytes {
    externalBuffers.owner(keeping: bytes)
  }

  // MARK: The model's own fields

  func version() throws(ModelFileError) -> Int {
    let version = try model.integer(ModelField.version, as: UInt32.self)
    guard version == 3 else {
      throw .unsupported("schema version \(version), only 3 can be read", at: model.byteOffset)
    }
    return version
  }

  mutating func description() throws(ModelFileError) -> String {
    try string(model, ModelField.description) ?? ""
  }

  mutating func operatorCodes() throws(ModelFileError) -> [OperatorCodeRecord] {
    try records(of: model.tables(ModelField.operatorCodes), named: "operator code") {
      decoder, table, _ throws(ModelFileError) in
      try decoder.operatorCode(table)
    }
  }

  private mutating func operatorCode(
    _ table: FlatTable
  ) throws(ModelFileError) -> OperatorCodeRecord {
    // Codes above 127 do not fit in the old field, which then holds a placeholder of 127.
    let code = max(
      try table.integer(OperatorCodeField.deprecatedBuiltinCode, as: Int8.self),
      try table.integer(OperatorCodeField.builtinCode, as: Int32.self))
    let record = OperatorCodeRecord(
      builtinCode: code, customCode: try string(table, OperatorCodeField.customCode),
      version: try table.integer(OperatorCodeField.version, as: Int32.self, default: 1))
    guard !record.isCustom || record.customCode != nil else {
      throw .malformed("custom operator without a name", at: table.byteOffset)
    }
    return record
  }

  mutating func metadata() throws(ModelFileError) -> [MetadataRecord] {
    try records(of: model.tables(ModelField.metadata), named: "metadata") {
      decoder, table, _ throws(ModelFileError) in
      let index = try table.integer(MetadataField.buffer, as: UInt32.self)
      return MetadataRecord(
        name: try decoder.string(table, MetadataField.name) ?? "",
        bytes: try decoder.data(ofBuffer: index, at: table.byteOffset)
          ?? UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }

  // MARK: Buffers

  /// Returns the bytes of a buffer, inline or not; `nil` for a buffer without any.
  mutating func data(
    ofBuffer index: Int, at byteOffset: Int
  ) throws(ModelFileError) -> UnsafeRawBufferPointer? {
    // Buffer 0 means no buffer, even if it has contents.
    guard index != 0 else { return nil }
    guard buffers.indices.contains(index) else {
      throw .malformed("buffer \(index) of \(buffers.count)", at: byteOffset)
    }
    let buffer = try buffers[index]
    if let data = try buffer.bytes(BufferField.data) { return data }
    return try outOfLine(buffer, offset: BufferField.offset, size: BufferField.size)
  }

  /// Returns data that follows the FlatBuffer, as in models above 2 GB.
  func outOfLine(
    _ table: FlatTable, offset: Int, size: Int
  ) throws(ModelFileError) -> UnsafeRawBufferPointer? {
    let start = try table.integer(offset, as: UInt64.self)
    // Writers store 1 there before they know the offset.
    guard start > 1 else { return nil }
    return try file.slice(at: start, count: table.integer(size, as: UInt64.self))
  }
}
