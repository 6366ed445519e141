/// A tensor of a subgraph.
///
/// Sendable although it points into the model: that memory never changes.
package struct TensorRecord: @unchecked Sendable {
  package var name: String
  package var type: TensorType
  /// The extents, never negative; the size in bytes fits in an `Int`.
  package var shape: [Int]
  /// The shape with -1 for dimensions unknown to the converter.
  package var shapeSignature: [Int]?
  package var hasRank: Bool
  package var bufferIndex: Int
  /// The value of a constant; `nil` for a tensor that is computed, fed or a variable.
  ///
  /// It is unaligned. It may be longer than type and shape require, but is not shorter, unless
  /// ``sparsity`` says how to expand it. For an empty tensor it is empty but not `nil`.
  package var data: UnsafeRawBufferPointer?
  package var quantization: QuantizationRecord?
  package var isVariable: Bool
  /// The layout of ``data`` if it is sparse; `nil` for tensors that are not constant.
  package var sparsity: SparsityRecord?
  /// The types of the elements of a `variant` tensor.
  package var variantSubtypes: [VariantSubtypeRecord]
  /// The position of the tensor's table in the file, for messages.
  package var byteOffset: Int

  package init(
    name: String, type: TensorType, shape: [Int], shapeSignature: [Int]? = nil,
    hasRank: Bool = false, bufferIndex: Int = 0, data: UnsafeRawBufferPointer? = nil,
    quantization: QuantizationRecord? = nil, isVariable: Bool = false,
    sparsity: SparsityRecord? = nil, variantSubtypes: [VariantSubtypeRecord] = [],
    byteOffset: Int = 0
  ) {
    self.name = name
    self.type = type
    self.shape = shape
    self.shapeSignature = shapeSignature
    self.hasRank = hasRank
    self.bufferIndex = bufferIndex
    self.data = data
    self.quantization = quantization
    self.isVariable = isVariable
    self.sparsity = sparsity
    self.variantSubtypes = variantSubtypes
    self.byteOffset = byteOffset
  }
}

/// The type of the tensors that a `variant` tensor holds.
package struct VariantSubtypeRecord: Sendable, Hashable {
  package var type: TensorType
  package var shape: [Int]
  package var hasRank: Bool

  package init(type: TensorType, shape: [Int], hasRank: Bool) {
    self.type = type
    self.shape = shape
    self.hasRank = hasRank
  }
}
