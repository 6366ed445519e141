/// Reads the tables of metadata_schema.fbs, with the field indices of that schema.
struct MetadataDecoder: RecordDecoder {
  var budget: DecodingBudget

  init(byteCount: Int) { budget = DecodingBudget(byteCount: byteCount) }

  mutating func model(_ table: FlatTable) throws(ModelFileError) -> ModelMetadata {
    var model = ModelMetadata()
    model.name = try string(table, 0)
    model.description = try string(table, 1)
    model.version = try string(table, 2)
    model.subgraphs = try records(of: table.tables(3), named: "subgraph") {
      decoder, table, _ throws(ModelFileError) in try decoder.subgraph(table)
    }
    model.author = try string(table, 4)
    model.license = try string(table, 5)
    model.associatedFiles = try files(table, 6)
    model.minimumParserVersion = try string(table, 7)
    return model
  }

  private mutating func subgraph(_ table: FlatTable) throws(ModelFileError) -> SubgraphMetadata {
    var subgraph = SubgraphMetadata()
    subgraph.name = try string(table, 0)
    subgraph.description = try string(table, 1)
    subgraph.inputs = try tensors(table, 2)
    subgraph.outputs = try tensors(table, 3)
    subgraph.associatedFiles = try files(table, 4)
    subgraph.inputProcessUnits = try processUnits(table, 5)
    subgraph.outputProcessUnits = try processUnits(table, 6)
    subgraph.inputGroups = try groups(table, 7)
    subgraph.outputGroups = try groups(table, 8)
    subgraph.custom = try records(of: table.tables(9), named: "custom metadata") {
      decoder, table, _ throws(ModelFileError) in
      try decoder.budget.chargeElements(table.count(1), at: table.byteOffset)
      return SubgraphMetadata.CustomMetadata(
        name: try decoder.string(table, 0),
        bytes: Array(try table.bytes(1) ?? .init(start: nil, count: 0)))
    }
    return subgraph
  }

  private mutating func groups(
    _ table: FlatTable, _ field: Int
  ) throws(ModelFileError) -> [SubgraphMetadata.TensorGroup] {
    try records(of: table.tables(field), named: "tensor group") {
      decoder, table, _ throws(ModelFileError) in
      SubgraphMetadata.TensorGroup(
        name: try decoder.string(table, 0), tensorNames: try decoder.strings(table, 1))
    }
  }

  // MARK: Tensors

  private mutating func tensors(
    _ table: FlatTable, _ field: Int
  ) throws(ModelFileError) -> [TensorMetadata] {
    try records(of: table.tables(field), named: "tensor") {
      decoder, table, _ throws(ModelFileError) in try decoder.tensor(table)
    }
  }

  private mutating func tensor(_ table: FlatTable) throws(ModelFileError) -> TensorMetadata {
    var tensor = TensorMetadata()
    tensor.name = try string(table, 0)
    tensor.description = try string(table, 1)
    tensor.dimensionNames = try strings(table, 2)
    tensor.content = try content(table.table(3))
    tensor.processUnits = try processUnits(table, 4)
    if let stats = try table.table(5) {
      tensor.maximum = try floats(stats, 0)
      tensor.minimum = try floats(stats, 1)
    }
    tensor.associatedFiles = try files(table, 6)
    return tensor
  }

  private mutating func content(_ table: FlatTable?) throws(ModelFileError) -> TensorContent? {
    guard let table else { return nil }
    var content = TensorContent(properties: try properties(table))
    if let range = try table.table(2) {
      content.dimensions = TensorContent.DimensionRange(
        first: try range.integer(0, as: Int32.self), last: try range.integer(1, as: Int32.self))
    }
    return content
  }

  private mutating func properties(
    _ content: FlatTable
  ) throws(ModelFileError) -> TensorContent.Properties {
    let tag = try content.integer(0, as: UInt8.self)
    guard (1...4).contains(tag), let table = try content.table(1) else { return .unknown }
    switch tag {
    case 1: return .feature
    case 2:
      return .image(
        colorSpace: try choice(table, 0) ?? .unknown, defaultSize: try size(table.table(1)))
    case 3:
      return .boundingBox(
        index: try integers(table, 0, as: UInt32.self) ?? [],
        kind: try choice(table, 1) ?? .unknown, coordinates: try choice(table, 2) ?? .ratio)
    default:
      return .audio(
        sampleRate: try table.integer(0, as: UInt32.self),
        channels: try table.integer(1, as: UInt32.self))
    }
  }

  private func size(_ table: FlatTable?) throws(ModelFileError) -> TensorContent.Size? {
    guard let table else { return nil }
    return TensorContent.Size(
      width: try table.integer(0, as: UInt32.self), height: try table.integer(1, as: UInt32.self))
  }

  // MARK: Process units

  private mutating func processUnits(
    _ table: FlatTable, _ field: Int
  ) throws(ModelFileError) -> [ProcessUnit] {
    try records(of: table.tables(field), named: "process unit") {
      decoder, table, _ throws(ModelFileError) in try decoder.processUnit(table)
    }
  }

  private mutating func processUnit(_ unit: FlatTable) throws(ModelFileError) -> ProcessUnit {
    let tag = try unit.integer(0, as: UInt8.self)
    guard (1...6).contains(tag), let table = try unit.table(1) else { return .unknown }
    switch tag {
    case 1:
      return .normalization(mean: try floats(table, 0), standardDeviation: try floats(table, 1))
    case 2:
      return .scoreCalibration(
        transformation: try choice(table, 0) ?? .identity, defaultScore: try table.float(1))
    case 3: return .scoreThresholding(try table.float(0))
    case 4: return .bertTokenizer(vocabulary: try files(table, 0))
    case 5:
      return .sentencePieceTokenizer(
        model: try files(table, 0), vocabulary: try files(table, 1))
    default:
      return .regexTokenizer(
        delimiter: try string(table, 0), vocabulary: try files(table, 1))
    }
  }

  // MARK: Files

  private mutating func files(
    _ table: FlatTable, _ field: Int
  ) throws(ModelFileError) -> [AssociatedFileRecord] {
    try records(of: table.tables(field), named: "associated file") {
      decoder, table, _ throws(ModelFileError) in
      AssociatedFileRecord(
        name: try decoder.string(table, 0), description: try decoder.string(table, 1),
        kind: try decoder.choice(table, 2) ?? .unknown, locale: try decoder.string(table, 3),
        version: try decoder.string(table, 4))
    }
  }

  /// Returns a value of an enumeration; `nil` for one of a later schema.
  private func choice<Choice: RawRepresentable<Int>>(
    _ table: FlatTable, _ field: Int
  ) throws(ModelFileError) -> Choice? {
    Choice(rawValue: try table.integer(field, as: Int8.self))
  }
}
