extension ModelFile {
  /// A tensor of a graph.
  public struct Tensor: Sendable {
    private let record: TensorRecord
    /// The owner of the memory that the record points to.
    private let owner: ModelBytes
    /// The index of the tensor in its graph.
    public let index: Int

    init(record: TensorRecord, index: Int, owner: ModelBytes) {
      self.record = record
      self.index = index
      self.owner = owner
    }

    /// The tensor's name; several tensors may have the same name, or none.
    public var name: String { record.name }
    /// The type of the elements.
    public var type: TensorType { record.type }
    /// The extents as in the file, where 1 may stand for any extent.
    public var shape: [Int] { record.shape }
    /// The extents with -1 for those unknown to the converter; `nil` if the file does not say.
    public var shapeSignature: [Int]? { record.shapeSignature }
    /// The mapping from the tensor's integers to real numbers.
    public var quantization: QuantizationRecord? { record.quantization }
    /// Whether the tensor keeps its value from run to run.
    public var isVariable: Bool { record.isVariable }
    /// Whether the tensor's value is in the file, like that of a weight.
    public var isConstant: Bool { record.data != nil }
    /// The layout of a sparse constant, of which only some elements are stored.
    public var sparsity: SparsityRecord? { record.sparsity }

    /// Calls `body` with the bytes of a constant in the file, in row-major order and unaligned.
    ///
    /// Of a sparse constant only the stored elements are there.
    ///
    /// - Returns: `nil` if the tensor is not a constant.
    public func withBytes<Result>(
      _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result? {
      guard let data = record.data else { return nil }
      return try withExtendedLifetime(owner) { try body(data) }
    }

    /// Returns the elements of a constant.
    ///
    /// - Parameter type: A type of the same size, such as `Int8.self` for `.int8`.
    /// - Returns: `nil` if the tensor is not a constant, is sparse, or has elements of another
    ///   size.
    public func elements<Element: BitwiseCopyable>(as type: Element.Type) -> [Element]? {
      guard sparsity == nil, record.type.bitWidth == 8 * MemoryLayout<Element>.size,
        let count = elementCount(shape)
      else { return nil }
      return withBytes { bytes in
        (0..<count).map {
          bytes.loadUnaligned(
            fromByteOffset: $0 * MemoryLayout<Element>.size, as: Element.self)
        }
      }
    }

    /// Returns the strings of a constant; `nil` for tensors other than string constants.
    public func strings() throws(ModelFileError) -> [String]? {
      guard record.type == .string, let data = record.data else { return nil }
      defer { withExtendedLifetime(owner) {} }
      let packed = try PackedStrings(validating: data)
      return (0..<packed.count).map { String(decoding: packed[$0], as: UTF8.self) }
    }
  }
}
