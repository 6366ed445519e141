/// The elements of a tensor in the order in which they are stored.
package struct StoredElements {
  /// The order of the elements in memory.
  package enum Order: Equatable {
    /// The order of the file's axes.
    case file
    /// The transpose of the file's order.
    ///
    /// Memory holds a matrix of this many columns in row-major order, which the file has in
    /// column-major order.
    case columns(Int)
    /// Any other order.
    case other
  }

  package let bytes: UnsafeRawBufferPointer
  /// The size of one element.
  package let elementByteCount: Int
  package let order: Order
}

extension StoredElements.Order {
  /// Finds the kind of order for a shape in the file whose axes are stored in `order`.
  package init(of dimensions: [Int], lyingIn order: AxisOrder) {
    // Axes with one element have no effect on the order of the elements.
    let axes = order.stored(Array(dimensions.indices)).filter { dimensions[$0] != 1 }
    guard let split = axes.indices.dropFirst().first(where: { axes[$0] < axes[$0 - 1] }) else {
      self = .file
      return
    }
    let columns = axes[split...]
    let isMatrix = (Array(columns) + axes[..<split]).elementsEqual(axes.sorted())
    self = isMatrix ? .columns(columns.reduce(1) { $0 * dimensions[$1] }) : .other
  }
}
