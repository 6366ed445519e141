/// Converts quantization and sparsity to the tables of the schema.
extension QuantizationRecord {
  var flatFields: FlatFields {
    var fields: FlatFields = [QuantizationField.dimension: .int32(Int32(axis))]
    if !scales.isEmpty {
      fields[QuantizationField.scale] = .floats(scales)
      fields[QuantizationField.zeroPoint] = .int64s(zeroPoints.map(Int64.init))
    }
    if !minimum.isEmpty { fields[QuantizationField.minimum] = .floats(minimum) }
    if !maximum.isEmpty { fields[QuantizationField.maximum] = .floats(maximum) }
    if let blockwise {
      fields[QuantizationField.detailsTag] = .uint8(UInt8(QuantizationDetailsTag.blockwise))
      fields[QuantizationField.details] = .table(blockwise.flatFields)
    }
    if let multiAxis {
      fields[QuantizationField.detailsTag] = .uint8(UInt8(QuantizationDetailsTag.multiAxis))
      fields[QuantizationField.details] = .table(multiAxis.flatFields)
    }
    return fields
  }
}

extension BlockwiseQuantizationRecord {
  fileprivate var flatFields: FlatFields {
    [
      QuantizationDetailsField.scales: .int32(Int32(scalesTensor)),
      QuantizationDetailsField.zeroPoints: .int32(Int32(zeroPointsTensor)),
      QuantizationDetailsField.blockSize: .int32(Int32(blockSize)),
    ]
  }
}

extension MultiAxisQuantizationRecord {
  fileprivate var flatFields: FlatFields {
    [
      QuantizationDetailsField.scales: .int32(Int32(scalesTensor)),
      QuantizationDetailsField.zeroPoints: .int32(Int32(zeroPointsTensor)),
      QuantizationDetailsField.blockSize: .int32(Int32(blockSize)),
      QuantizationDetailsField.dimensions: .int32s(axes),
    ]
  }
}

extension SparsityRecord {
  var flatFields: FlatFields {
    var fields: FlatFields = [
      SparsityField.traversalOrder: .int32s(traversalOrder),
      SparsityField.dimensions: .tables(dimensions.map(\.flatFields)),
    ]
    if !blockMap.isEmpty { fields[SparsityField.blockMap] = .int32s(blockMap) }
    return fields
  }
}

extension SparseDimensionRecord {
  fileprivate var flatFields: FlatFields {
    guard format == .sparseCSR else {
      return [SparseDimensionField.denseSize: .int32(Int32(denseSize))]
    }
    return [
      SparseDimensionField.format: .int8(Int8(format.rawValue)),
      SparseDimensionField.arraySegmentsTag: .uint8(UInt8(SparseIndexTag.int32)),
      SparseDimensionField.arraySegments: .table([0: .int32s(arraySegments)]),
      SparseDimensionField.arrayIndicesTag: .uint8(UInt8(SparseIndexTag.int32)),
      SparseDimensionField.arrayIndices: .table([0: .int32s(arrayIndices)]),
    ]
  }
}
