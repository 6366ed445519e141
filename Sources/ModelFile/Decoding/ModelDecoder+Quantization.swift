/// Decodes quantization parameters, and refuses those that the official runtime refuses.
extension ModelDecoder {
  mutating func quantization(
    _ table: FlatTable?, shape: [Int], tensorCount: Int
  ) throws(ModelFileError) -> QuantizationRecord? {
    guard let table else { return nil }
    try budget.chargeTable(at: table.byteOffset)
    var record = QuantizationRecord(
      axis: try axis(table, shape: shape), minimum: try floats(table, QuantizationField.minimum),
      maximum: try floats(table, QuantizationField.maximum))
    switch try table.integer(QuantizationField.detailsTag, as: UInt8.self) {
    case QuantizationDetailsTag.blockwise:
      record.blockwise = try blockwise(details(table), tensorCount: tensorCount)
    case QuantizationDetailsTag.multiAxis:
      record.multiAxis = try multiAxis(details(table), shape: shape, tensorCount: tensorCount)
    default: break
    }
    // The official runtime ignores scales beside those of blocks.
    if record.blockwise == nil { try readScales(of: &record, shape: shape, table) }
    return record == QuantizationRecord(axis: record.axis) ? nil : record
  }

  /// Returns the dimension if the shape has it; it means nothing until there are scales.
  private func axis(_ table: FlatTable, shape: [Int]) throws(ModelFileError) -> Int {
    let axis = try table.integer(QuantizationField.dimension, as: Int32.self)
    return shape.indices.contains(axis) ? axis : 0
  }

  /// Reads the scales, zero points and axis into a record, and throws unless they are valid.
  private mutating func readScales(
    of record: inout QuantizationRecord, shape: [Int], _ table: FlatTable
  ) throws(ModelFileError) {
    record.scales = try floats(table, QuantizationField.scale)
    guard !record.scales.isEmpty else { return }
    record.axis = try table.integer(QuantizationField.dimension, as: Int32.self)
    record.zeroPoints = try zeroPoints(for: record.scales.count, table)
    try checkAxis(of: record, shape: shape, table)
  }

  private mutating func zeroPoints(
    for scales: Int, _ table: FlatTable
  ) throws(ModelFileError) -> [Int] {
    let zeroPoints = try integers(table, QuantizationField.zeroPoint, as: Int64.self)
    guard let zeroPoints, zeroPoints.count == scales else {
      throw .malformed(
        "\(zeroPoints?.count ?? 0) zero points for \(scales) scales", at: table.byteOffset)
    }
    guard zeroPoints.allSatisfy({ Int32(exactly: $0) != nil }) else {
      throw .malformed("zero point beyond 32 bits", at: table.byteOffset)
    }
    return zeroPoints
  }

  private func checkAxis(
    of record: QuantizationRecord, shape: [Int], _ table: FlatTable
  ) throws(ModelFileError) {
    let scales = record.scales.count
    guard record.axis >= 0, shape.isEmpty || record.axis < shape.count else {
      throw .malformed(
        "quantized dimension \(record.axis) of shape \(shape)", at: table.byteOffset)
    }
    guard scales == 1 || shape.isEmpty || scales == shape[record.axis] else {
      throw .malformed(
        "\(scales) scales for dimension \(record.axis) of \(shape)", at: table.byteOffset)
    }
  }

  private mutating func details(_ table: FlatTable) throws(ModelFileError) -> FlatTable {
    guard let details = try table.table(QuantizationField.details) else {
      throw .malformed("quantization details are missing", at: table.byteOffset)
    }
    try budget.chargeTable(at: details.byteOffset)
    return details
  }

  private func blockwise(
    _ table: FlatTable, tensorCount: Int
  ) throws(ModelFileError) -> BlockwiseQuantizationRecord {
    let (scales, zeroPoints, blockSize) = try detailFields(table, tensorCount: tensorCount)
    guard blockSize > 0 else { throw .malformed("blocks of \(blockSize)", at: table.byteOffset) }
    return BlockwiseQuantizationRecord(
      scalesTensor: scales, zeroPointsTensor: zeroPoints, blockSize: blockSize)
  }

  private mutating func multiAxis(
    _ table: FlatTable, shape: [Int], tensorCount: Int
  ) throws(ModelFileError) -> MultiAxisQuantizationRecord {
    let (scales, zeroPoints, blockSize) = try detailFields(table, tensorCount: tensorCount)
    let axes = try integers(table, QuantizationDetailsField.dimensions, as: Int32.self) ?? []
    guard !axes.isEmpty, axes.allSatisfy({ $0 >= 0 && (shape.isEmpty || $0 < shape.count) }) else {
      throw .malformed("quantized dimensions \(axes) of shape \(shape)", at: table.byteOffset)
    }
    guard blockSize >= 0 else { throw .malformed("blocks of \(blockSize)", at: table.byteOffset) }
    return MultiAxisQuantizationRecord(
      scalesTensor: scales, zeroPointsTensor: zeroPoints, blockSize: blockSize, axes: axes)
  }

  private func detailFields(
    _ table: FlatTable, tensorCount: Int
  ) throws(ModelFileError) -> (scales: Int, zeroPoints: Int, blockSize: Int) {
    let scales = try table.integer(QuantizationDetailsField.scales, as: Int32.self)
    let zeroPoints = try table.integer(QuantizationDetailsField.zeroPoints, as: Int32.self)
    guard (0..<tensorCount).contains(scales), (-1..<tensorCount).contains(zeroPoints) else {
      throw .malformed(
        "scales in tensor \(scales), zero points in \(zeroPoints), there are \(tensorCount)",
        at: table.byteOffset)
    }
    return (
      scales, zeroPoints, try table.integer(QuantizationDetailsField.blockSize, as: Int32.self)
    )
  }
}
