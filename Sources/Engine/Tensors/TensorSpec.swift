package import OcellusModelFile

/// The model file's description of one tensor, before anything runs.
///
/// It is a class, since all nodes that read or make the tensor share it. It is complete and
/// immutable once the graph is built. Unchecked: its pointer leads into the model's bytes, which
/// never change and outlive the graph.
package final class TensorSpec: @unchecked Sendable {
  package let index: Int
  package let name: String
  package internal(set) var type: ElementType
  package let shape: Shape
  /// The shape with -1 for extents that the caller may choose; `nil` if the file has none.
  package let shapeSignature: [Int]?
  package internal(set) var quantization: Quantization?
  package let isVariable: Bool
  /// The value in the file; `nil` for tensors that are computed or given.
  package internal(set) var constant: UnsafeRawBufferPointer?
  package let sparsity: SparsityRecord?

  package init(index: Int, record: TensorRecord, type: ElementType) {
    self.index = index
    name = record.name
    self.type = type
    shape = Shape(record.shape)
    shapeSignature = record.shapeSignature
    quantization = Quantization(record.quantization)
    isVariable = record.isVariable
    constant = record.data
    sparsity = record.sparsity
    trimConstant()
  }

  /// Makes a copy of a tensor with another quantization.
  init(_ original: TensorSpec, quantization: Quantization) {
    index = original.index
    name = original.name
    type = original.type
    shape = original.shape
    shapeSignature = original.shapeSignature
    self.quantization = quantization
    isVariable = original.isVariable
    constant = original.constant
    sparsity = original.sparsity
  }

  /// Drops the bytes of the constant's buffer after the tensor's last element.
  ///
  /// They mean nothing, and code that derives the number of elements from that of bytes would count
  /// them.
  private func trimConstant() {
    guard let constant, sparsity == nil, shape.isReasonable,
      let needed = type.byteCount(ofElements: shape.elementCount), needed < constant.count
    else { return }
    self.constant = UnsafeRawBufferPointer(rebasing: constant[..<needed])
  }

  package var isConstant: Bool { constant != nil }

  /// Returns the constant's elements, for options that are given as tensors.
  ///
  /// - Precondition: `type` is stored as `Element`.
  package func constantValues<Element: BitwiseCopyable>(_: Element.Type) -> [Element]? {
    guard let constant else { return nil }
    let count = constant.count / MemoryLayout<Element>.stride
    return (0..<count).map {
      constant.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Element>.stride, as: Element.self)
    }
  }

  /// The name with the index, for messages: `'dense/kernel' (tensor 4)`.
  package var label: String { "'\(name)' (tensor \(index))" }
}

extension TensorSpec {
  /// The scale if there is one for the whole tensor, else 0.
  ///
  /// The official runtime gives its kernels 0 too for a tensor with no scale or with one per
  /// channel.
  package var uniformScale: Float {
    guard let quantization, quantization.scales.count == 1 else { return 0 }
    return quantization.scale
  }

  /// The zero point that belongs to `uniformScale`.
  package var uniformZeroPoint: Int {
    guard let quantization, quantization.scales.count == 1 else { return 0 }
    return quantization.zeroPoint
  }
}
