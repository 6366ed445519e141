/// The elements of a tensor where they lie in memory.
package struct StoredElements {
  /// In which order they are.
  package enum Order: Equatable {
    /// In that of the file's axes.
    case file
    /// In that of a matrix row by row, so many columns: the file's has it column by column.
    case columns(Int)
    /// In another one.
    case other
  }

  package let bytes: UnsafeRawBufferPointer
  /// The size of one.
  package let elementByteCount: Int
  package let order: Order
}

extension StoredElements.Order {
  /// What it is to have the axes of a shape, or of the file, in some order.
  package init(of dimensions: [Int], lyingIn order: AxisOrder) {
    // Where they lie along axes of one element makes no difference.
    let axes = order.stored(Array(dimensions.indices)).filter { dimensions[$0] != 1 }
    guard let turn = axes.indices.dropFirst().first(where: { axes[$0] < axes[$0 - 1] }) else {
      self = .file
      return
    }
    let columns = axes[turn...]
    let isMatrix = (Array(columns) + axes[..<turn]).elementsEqual(axes.sorted())
    self = isMatrix ? .columns(columns.reduce(1) { $0 * dimensions[$1] }) : .other
  }
}
