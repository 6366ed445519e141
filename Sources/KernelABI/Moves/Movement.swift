/// The kernels of one instruction set that move elements without looking at them.
public struct Movement: Sendable {
  /// A function that copies a plane.
  public typealias Kernel = @Sendable (MovementArguments) -> Void

  /// Copies rows of bytes to other places; columns are bytes.
  public var copyRows: Kernel
  /// Copies bytes so that rows become columns, as `transpose4` does.
  public var transpose1: Kernel
  /// The same for elements of two bytes.
  public var transpose2: Kernel
  /// Copies elements of four bytes so that rows become columns: what a row holds side by side is
  /// a target stride apart, and rows become neighbours.
  public var transpose4: Kernel
  /// Copies rows of bytes backwards: `source` is the last one of the first row, which comes first.
  public var reverse1: Kernel
  /// The same for elements of two bytes.
  public var reverse2: Kernel
  /// The same for elements of four bytes.
  public var reverse4: Kernel
  /// The same for elements of eight bytes.
  public var reverse8: Kernel
  /// Copies the rows that a list names, one after the other.
  public var gatherRows: @Sendable (GatheringArguments) -> Void

  /// The kernel that transposes elements of a width; `nil` if there is none.
  public func transpose(elementWidth: Int) -> Kernel? {
    switch elementWidth {
    case 1: transpose1
    case 2: transpose2
    case 4: transpose4
    default: nil
    }
  }

  /// The kernel that copies elements of a width backwards; `nil` if there is none.
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
@frozen public struct MovementArguments {
  /// The first element of the first row.
  public var source: UnsafeRawPointer
  /// Where that goes.
  public var target: UnsafeMutableRawPointer
  /// The rows of the source.
  public var rowCount: Int
  /// The elements of a row.
  public var columnCount: Int
  /// The bytes from one row of the source to the next.
  public var sourceStride: Int
  /// The bytes from one row, or transposed one column, to the next in the target.
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

/// The operands of a copy of rows that a list names.
@frozen public struct GatheringArguments {
  /// The row with the number 0.
  public var source: UnsafeRawPointer
  /// Where the first row goes.
  public var target: UnsafeMutableRawPointer
  /// The bytes of a row.
  public var rowBytes: Int
  /// The numbers of the rows, all of which are there.
  public var rows: UnsafePointer<Int32>
  /// How many rows are copied.
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
