/// The kernels of one instruction set that copy and rearrange elements of any type.
public struct DataMovement: Sendable {
  /// A function that copies a plane.
  public typealias Kernel = @Sendable (CopyArguments) -> Void

  /// Copies rows of bytes between buffers with different strides; columns are bytes.
  public var copyRows: Kernel
  /// Transposes a matrix of bytes.
  public var transpose1: Kernel
  /// Transposes a matrix of two-byte elements.
  public var transpose2: Kernel
  /// Transposes a matrix of four-byte elements.
  public var transpose4: Kernel
  /// Copies rows of bytes in reverse order; `source` is the last byte of the first row.
  public var reverse1: Kernel
  /// Copies rows of two-byte elements in reverse order.
  public var reverse2: Kernel
  /// Copies rows of four-byte elements in reverse order.
  public var reverse4: Kernel
  /// Copies rows of eight-byte elements in reverse order.
  public var reverse8: Kernel
  /// Copies the rows with the listed indices to consecutive rows.
  public var gatherRows: @Sendable (GatheringArguments) -> Void

  /// Returns the kernel that transposes elements of the given size, or `nil` if there is none.
  public func transpose(elementWidth: Int) -> Kernel? {
    switch elementWidth {
    case 1: transpose1
    case 2: transpose2
    case 4: transpose4
    default: nil
    }
  }

  /// Returns the kernel that reverses elements of the given size, or `nil` if there is none.
  public func reverse(elementWidth: Int) -> Kernel? {
    switch elementWidth {
    case 1: reverse1
    case 2: reverse2
    case 4: reverse4
    case 8: reverse8
    default: nil
    }
  }

  /// Creates the entry from its functions.
  public init(
    copyRows: @escaping Kernel, transpose1: @escaping Kernel, transpose2: @escaping Kernel,
    transpose4: @escaping Kernel, reverse1: @escaping Kernel, reverse2: @escaping Kernel,
    reverse4: @escaping Kernel, reverse8: @escaping Kernel,
    gatherRows: @escaping @Sendable (GatheringArguments) -> Void
  ) {
    self.copyRows = copyRows
    self.transpose1 = transpose1
    self.transpose2 = transpose2
    self.transpose4 = transpose4
    self.reverse1 = reverse1
    self.reverse2 = reverse2
    self.reverse4 = reverse4
    self.reverse8 = reverse8
    self.gatherRows = gatherRows
  }
}

/// The operands of a copy.
@frozen public struct CopyArguments {
  /// The first element of the first row.
  public var source: UnsafeRawPointer
  /// The destination of that element.
  public var target: UnsafeMutableRawPointer
  /// The number of rows of the source.
  public var rowCount: Int
  /// The number of elements of a row.
  public var columnCount: Int
  /// The distance in bytes from one row of the source to the next.
  public var sourceStride: Int
  /// The distance in bytes from one row of the target to the next; for transpositions, a target row
  /// is a source column.
  public var targetStride: Int

  /// Creates the arguments.
  public init(
    source: UnsafeRawPointer, target: UnsafeMutableRawPointer, rowCount: Int, columnCount: Int,
    sourceStride: Int, targetStride: Int
  ) {
    self.source = source
    self.target = target
    self.rowCount = rowCount
    self.columnCount = columnCount
    self.sourceStride = sourceStride
    self.targetStride = targetStride
  }
}

/// The operands of a copy of rows with listed indices.
@frozen public struct GatheringArguments {
  /// The row with index 0.
  public var source: UnsafeRawPointer
  /// The destination of the first row.
  public var target: UnsafeMutableRawPointer
  /// The size of a row in bytes.
  public var rowBytes: Int
  /// The indices of the rows, all of them valid.
  public var rows: UnsafePointer<Int32>
  /// The number of rows to copy.
  public var count: Int

  /// Creates the arguments.
  public init(
    source: UnsafeRawPointer, target: UnsafeMutableRawPointer, rowBytes: Int,
    rows: UnsafePointer<Int32>, count: Int
  ) {
    self.source = source
    self.target = target
    self.rowBytes = rowBytes
    self.rows = rows
    self.count = count
  }
}
