import OcellusKernelABI
import OcellusKernelDispatch

/// A tensor of a run, as observers see it.
///
/// It is valid only until the observer returns.
public struct ObservedTensor {
  let spec: TensorSpec
  let memory: TensorMemory

  /// The tensor's index in its subgraph.
  public var index: Int { spec.index }
  /// The tensor's name in the file; several tensors may have the same name, or none.
  public var name: String { spec.name }
  /// The type of the elements.
  public var type: ElementType { spec.type }
  /// The extents, with axes in the order of the file.
  public var shape: Shape { memory.fileShape(of: index) ?? spec.shape }
  /// The mapping from the tensor's integers to real numbers, if it is quantized.
  public var quantization: Quantization? { spec.quantization }
  /// Whether the tensor's value is in the file.
  public var isConstant: Bool { spec.isConstant }
  /// Whether the tensor keeps its value between runs, and nodes change it.
  public var isVariable: Bool { spec.isVariable }

  /// Whether the elements exist in memory.
  ///
  /// They do not if the tensor lies inside a fused group or is computed slice by slice, and sparse
  /// constants are never expanded as a whole. With `Interpreter.Options.runsNodesSeparately` all
  /// results exist.
  public var isInMemory: Bool {
    if spec.sparsity != nil { return false }
    return memory.addresses[index] != nil || memory.slots[index].shape?.elementCount == 0
  }

  /// Calls `body` with the elements in row-major order of the file's axes.
  ///
  /// Strings are in TensorFlow Lite's encoding.
  ///
  /// - Returns: `nil` if the elements are not in memory.
  public func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result? {
    guard isInMemory else { return nil }
    let bytes = UnsafeRawBufferPointer(memory.view(index).bytes)
    guard let order = storedOrder, let elementSize = type.byteWidth, !bytes.isEmpty
    else { return try body(bytes) }
    // The scratch is taken while it is in use: a nested call for another tensor allocates its own.
    var scratch: [UInt8] = []
    swap(&scratch, &memory.reorderingScratch)
    defer { swap(&scratch, &memory.reorderingScratch) }
    if scratch.count < bytes.count { scratch = [UInt8](repeating: 0, count: bytes.count) }
    let (shape, count) = (shape, bytes.count)
    return try scratch.withUnsafeMutableBytes { target in
      order.unstore(bytes, to: target, shape: shape, elementSize: elementSize)
      return try body(UnsafeRawBufferPointer(rebasing: target[..<count]))
    }
  }

  /// Calls `body` with the elements in the order in which they are stored.
  ///
  /// Strings are in TensorFlow Lite's encoding.
  ///
  /// - Returns: `nil` if the elements are not in memory.
  package func withStoredElements<Result>(
    _ body: (StoredElements) throws -> Result
  ) rethrows -> Result? {
    guard isInMemory else { return nil }
    return try body(
      StoredElements(
        bytes: UnsafeRawBufferPointer(memory.view(index).bytes),
        elementByteCount: type.byteWidth ?? 1,
        order: storedOrder.map { .init(of: shape.dimensions, lyingIn: $0) } ?? .file))
  }

  /// The order of the axes in memory, if it is not the file's.
  private var storedOrder: AxisOrder? {
    guard let order = memory.subgraph.storedOrders[index], !order.isIdentity,
      order.rank == shape.rank
    else { return nil }
    return order
  }

  /// Returns whether this tensor and `other` are the same bytes, in the same axis order.
  package func sharesMemory(with other: ObservedTensor) -> Bool {
    guard isInMemory, other.isInMemory, storedOrder == nil, other.storedOrder == nil else {
      return false
    }
    let (bytes, others) = (memory.view(index).bytes, other.memory.view(other.index).bytes)
    return bytes.baseAddress == others.baseAddress && bytes.count == others.count
  }
}

extension AxisOrder {
  /// Copies the elements of a tensor that is stored in this order into the order of its shape.
  fileprivate func unstore(
    _ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer, shape: Shape,
    elementSize: Int
  ) {
    // The distances in memory between neighbours along each axis of the shape.
    let strides = inverse.stored(Shape(stored(shape.dimensions)).strides)
    let copy = PlannedCopy(
      StridedCopy(
        extents: shape.dimensions, source: .init(strides: strides), destination: .init(shape)),
      elementWidth: elementSize, KernelTable.best.dataMovement)
    if let source = bytes.baseAddress, let target = target.baseAddress {
      copy.run(from: source, to: target)
    }
  }
}

extension TensorMemory {
  /// Returns the shape of a tensor, if it is known, with axes in the order of the file.
  func fileShape(of tensor: Int) -> Shape? {
    guard let shape = slots[tensor].shape, let order = subgraph.storedOrders[tensor],
      order.rank == shape.rank
    else { return slots[tensor].shape }
    return Shape(order.inverse.stored(shape.dimensions))
  }
}
