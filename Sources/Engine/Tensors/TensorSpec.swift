package import OcellusModelFile

/// What the model file says about one tensor, before anything runs.
///
/// An object, since all nodes that read or make the tensor have it; it is complete when the graph is built,
/// and does not change any more. Unchecked: its pointer leads into the model's bytes, which never change and
/// outlive the graph.
package final class TensorSpec: @unchecked Sendable {
  package let index: Int
  package let name: String
  package internal(set) var type: ElementType
  package let shape: Shape
  /// The shape with -1 for extents that the caller may choose, where the file has one.
  package let shapeSignature: [Int]?
  package internal(set) var quantization: Quantization?
  package let isVariable: Bool
  /// The value that the file holds; `nil` for tensors that are computed or given.
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
    cutConstant()
  }

  /// The same tensor, as if its integers stood for something else.
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

  /// Leaves out what a buffer holds behind the tensor's elements: nobody means it, and whoever
  /// counts bytes would take it for elements.
  private func cutConstant() {
    guard let constant, sparsity == nil, shape.isReasonable,
      let needed = type.byteCount(ofElements: shape.elementCount), needed < constant.count
    else { return }
    self.constant = UnsafeRawBufferPointer(rebasing: constant[..<needed])
  }

  package var isConstant: Bool { constant != nil }

  /// The constant's elements, for reading options that are given as tensors.
  ///
  /// - Precondition: `Element` is what `type` stores.
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
  /// The scale where there is one for the whole tensor; else 0, which is what the official
  /// runtime gives kernels of tensors with no scale or with one per channel.
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
