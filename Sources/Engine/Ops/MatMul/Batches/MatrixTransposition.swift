import OcellusKernelABI

/// The transposition of matrices whose elements have a given size.
struct MatrixTransposition: Sendable {
  private let kernel: DataMovement.Kernel
  private let elementBytes: Int

  static func ofBytes(_ dataMovement: DataMovement) -> Self {
    Self(kernel: dataMovement.transpose1, elementBytes: 1)
  }

  static func ofInt16Elements(_ dataMovement: DataMovement) -> Self {
    Self(kernel: dataMovement.transpose2, elementBytes: 2)
  }

  static func ofFloats(_ dataMovement: DataMovement) -> Self {
    Self(kernel: dataMovement.transpose4, elementBytes: 4)
  }

  /// Writes some or all columns of a matrix to their position in the transposed one, and returns
  /// its address.
  func callAsFunction(
    _ matrix: UnsafeRawPointer, rows: Int, columns: Int, only wanted: Range<Int>? = nil,
    to target: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    let wanted = wanted ?? 0..<columns
    kernel(
      CopyArguments(
        source: matrix + wanted.lowerBound * elementBytes,
        target: target + wanted.lowerBound * rows * elementBytes, rowCount: rows,
        columnCount: wanted.count, sourceStride: columns * elementBytes,
        targetStride: rows * elementBytes))
    return UnsafeRawPointer(target)
  }
}
