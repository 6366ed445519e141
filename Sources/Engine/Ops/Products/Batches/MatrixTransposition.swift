import OcellusKernelABI

/// Matrices of elements of some width, whose columns a kernel writes as rows.
struct MatrixTransposition: Sendable {
  private let kernel: Movement.Kernel
  private let elementBytes: Int

  static func ofBytes(_ movement: Movement) -> Self {
    Self(kernel: movement.transpose1, elementBytes: 1)
  }

  static func ofShorts(_ movement: Movement) -> Self {
    Self(kernel: movement.transpose2, elementBytes: 2)
  }

  static func ofFloats(_ movement: Movement) -> Self {
    Self(kernel: movement.transpose4, elementBytes: 4)
  }

  /// Writes some columns of a matrix, or all, to where they are in the transposed one, and returns that.
  func callAsFunction(
    _ matrix: UnsafeRawPointer, rows: Int, columns: Int, only wanted: Range<Int>? = nil,
    to target: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    let wanted = wanted ?? 0..<columns
    kernel(
      MovementArguments(
        source: matrix + wanted.lowerBound * elementBytes,
        target: target + wanted.lowerBound * rows * elementBytes, rowCount: rows,
        columnCount: wanted.count, sourceStride: columns * elementBytes,
        targetStride: rows * elementBytes))
    return UnsafeRawPointer(target)
  }
}
