import OcellusKernelABI
import OcellusKernelDispatch

/// A tensor of a run, as observers see it.
///
/// What it shows is true while the observer is called, and no longer.
public struct ObservedTensor {
  let spec: TensorSpec
  let memory: TensorMemory

  /// Its number in its subgraph.
  public var index: Int { spec.index }
  /// Its name in the file; several may have the same, or none.
  public var name: String { spec.name }
  /// The type of its elements.
  public var type: ElementType { spec.type }
  /// Its extents, axes in the order of the file.
  public var shape: Shape { memory.fileShape(of: index) ?? spec.shape }
  /// What its integers stand for, if it is quantized.
  public var quantization: Quantization? { spec.quantization }
  /// Whether the file holds its value.
  public var isConstant: Bool { spec.isConstant }
  /// Whether it keeps its value between runs, and nodes change it.
  public var isVariable: Bool { spec.isVariable }

  /// Whether its elements exist in memory.
  ///
  /// They do not where plans hand them on in pieces, or in another node's step, and sparse constants are
  /// never expanded as a whole. With `Interpreter.Options.keepsNodesApart` all results exist.
  public var isInMemory: Bool {
    if spec.sparsity != nil { return false }
    return memory.addresses[index] != nil || memory.slots[index].shape?.elementCount == 0
  }

  /// Shows the elements in row-major order of the file's axes; strings in TensorFlow Lite's encoding.
  ///
  /// - Returns: `nil` where they are not in memory.
  public func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result? {
    guard isInMemory else { return nil }
    let bytes = UnsafeRawBufferPointer(memory.view(index).bytes)
    guard let order = storedOrder, let elementSize = type.byteWidth, !bytes.isEmpty
    else { return try body(bytes) }
    // Taken as long as it is shown: whoever shows another tensor meanwhile gets memory of its own.
    var room: [UInt8] = []
    swap(&room, &memory.reorderingRoom)
    defer { swap(&room, &memory.reorderingRoom) }
    if room.count < bytes.count { room = [UInt8](repeating: 0, count: bytes.count) }
    let (shape, count) = (shape, bytes.count)
    return try room.withUnsafeMutableBytes { target in
      order.unstore(bytes, to: target, shape: shape, elementSize: elementSize)
      return try body(UnsafeRawBufferPointer(rebasing: target[..<count]))
    }
  }

  /// Shows the elements where they lie; strings in TensorFlow Lite's encoding.
  ///
  /// - Returns: `nil` where they are not in memory.
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

  /// The order in which its axes lie in memory, if it is not the file's.
  private var storedOrder: AxisOrder? {
    guard let order = memory.subgraph.storedOrders[index], !order.isIdentity,
      order.rank == shape.rank
    else { return nil }
    return order
  }

  /// Whether it is at the same place in memory as another one, all of it and in the same order.
  package func lies(where other: ObservedTensor) -> Bool {
    guard isInMemory, other.isInMemory, storedOrder == nil, other.storedOrder == nil else {
      return false
    }
    let (bytes, others) = (memory.view(index).bytes, other.memory.view(other.index).bytes)
    return bytes.baseAddress == others.baseAddress && bytes.count == others.count
  }
}

extension AxisOrder {
  /// Copies the elements of a tensor that lies in this order, in that of its shape.
  fileprivate func unstore(
    _ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer, shape: Shape,
    elementSize: Int
  ) {
    // How far apart neighbours along each axis of the shape are in memory.
    let strides = inverse.stored(Shape(stored(shape.dimensions)).strides)
    let copy = PlannedCopy(
      StridedCopy(
        extents: shape.dimensions, source: .init(strides: strides), destination: .init(shape)),
      elementWidth: elementSize, KernelTable.best.movement)
    if let source = bytes.baseAddress, let target = target.baseAddress {
      copy.run(from: source, to: target)
    }
  }
}

extension TensorMemory {
  /// The shape of a tensor, if it is known, with axes in the order of the file.
  func fileShape(of tensor: Int) -> Shape? {
    guard let shape = slots[tensor].shape, let order = subgraph.storedOrders[tensor],
      order.rank == shape.rank
    else { return slots[tensor].shape }
    return Shape(order.inverse.stored(shape.dimensions))
  }
}
