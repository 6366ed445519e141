/// Decodes the layout of sparse constants.
extension ModelDecoder {
  mutating func sparsity(_ table: FlatTable?) throws(ModelFileError) -> SparsityRecord? {
    guard let table else { return nil }
    try budget.chargeTable(at: table.byteOffset)
    guard
      let traversalOrder = try integers(table, SparsityField.traversalOrder, as: Int32.self),
      let dimensions = try table.tables(SparsityField.dimensions)
    else {
      throw .malformed("sparsity without traversal order or dimensions", at: table.byteOffset)
    }
    return SparsityRecord(
      traversalOrder: traversalOrder,
      blockMap: try integers(table, SparsityField.blockMap, as: Int32.self) ?? [],
      dimensions: try records(of: dimensions, named: "sparse dimension") {
        decoder, table, _ throws(ModelFileError) in
        try decoder.sparseDimension(table)
      })
  }

  private mutating func sparseDimension(
    _ table: FlatTable
  ) throws(ModelFileError) -> SparseDimensionRecord {
    let value = try table.integer(SparseDimensionField.format, as: Int8.self)
    guard let format = SparseDimensionRecord.Format(rawValue: value) else {
      throw .malformed("sparse format \(value)", at: table.byteOffset)
    }
    switch format {
    case .dense:
      let size = try table.integer(SparseDimensionField.denseSize, as: Int32.self)
      return SparseDimensionRecord(format: .dense, denseSize: size)
    case .sparseCSR:
      return SparseDimensionRecord(
        format: .sparseCSR,
        arraySegments: try sparseIndices(
          table, tag: SparseDimensionField.arraySegmentsTag,
          value: SparseDimensionField.arraySegments),
        arrayIndices: try sparseIndices(
          table, tag: SparseDimensionField.arrayIndicesTag,
          value: SparseDimensionField.arrayIndices))
    }
  }

  private mutating func sparseIndices(
    _ table: FlatTable, tag: Int, value: Int
  ) throws(ModelFileError) -> [Int] {
    let tag = try table.integer(tag, as: UInt8.self)
    guard let vector = try table.table(value) else {
      throw .malformed("sparse dimension without indices", at: table.byteOffset)
    }
    try budget.chargeTable(at: vector.byteOffset)
    let indices: [Int]?
    switch tag {
    case SparseIndexTag.int32: indices = try integers(vector, 0, as: Int32.self)
    case SparseIndexTag.uint16: indices = try integers(vector, 0, as: UInt16.self)
    case SparseIndexTag.uint8: indices = try integers(vector, 0, as: UInt8.self)
    default: throw .malformed("sparse index vector of kind \(tag)", at: table.byteOffset)
    }
    guard let indices else {
      throw .malformed("sparse index vector without values", at: vector.byteOffset)
    }
    return indices
  }
}
