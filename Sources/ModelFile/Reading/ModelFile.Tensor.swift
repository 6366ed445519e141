extension ModelFile {
  /// A tensor of a graph.
  public struct Tensor: Sendable {
    private let record: TensorRecord
    /// Keeps the memory that the record points to.
    private let owner: ModelBytes
    /// Its position among the tensors of its graph.
    public let index: Int

    init(record: TensorRecord, index: Int, owner: ModelBytes) {
      self.record = record
      self.index = index
      self.owner = owner
    }

    /// Its name; several may have the same, or none.
    public var name: String { record.name }
    /// The type of its elements.
    public var type: TensorType { record.type }
    /// Its extents, as the file has them: 1 may stand for any.
    public var shape: [Int] { record.shape }
    /// The same with -1 for extents that the converter did not know; `nil` where it says nothing.
    public var shapeSignature: [Int]? { record.shapeSignature }
    /// How its integers stand for real numbers.
    public var quantization: QuantizationRecord? { record.quantization }
    /// Whether it keeps its value from run to run.
    public var isVariable: Bool { record.isVariable }
    /// Whether the file has its value: a weight, say.
    public var isConstant: Bool { record.data != nil }
    /// How a constant is compressed, if only some of its elements are stored.
    public var sparsity: SparsityRecord? { record.sparsity }

    /// Shows the bytes of a constant where they are in the file, in row-major order and aligned to nothing;
    /// of a compressed one those elements that are stored.
    ///
    /// - Returns: `nil` for what is no constant.
    public func withBytes<Result>(
      _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result? {
      guard let data = record.data else { return nil }
      return try withExtendedLifetime(owner) { try body(data) }
    }

    /// The elements of a constant.
    ///
    /// - Parameter type: A type of the same size: `Int8.self` for `.int8`.
    /// - Returns: `nil` for what is no constant, is compressed, or has elements of another size.
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

    /// The strings of a constant of that type; `nil` for what is none.
    public func strings() throws(ModelFileError) -> [String]? {
      guard record.type == .string, let data = record.data else { return nil }
      defer { withExtendedLifetime(owner) {} }
      let packed = try PackedStrings(validating: data)
      return (0..<packed.count).map { String(decoding: packed[$0], as: UTF8.self) }
    }
  }
}
