package import OcellusKernelABI

/// A strided copy whose two innermost axes are copied by a kernel where possible.
package struct PlannedCopy: Sendable {
  /// The innermost axes.
  private enum Plane {
    /// Rows that a kernel copies: unchanged, reversed, or transposed.
    case rows(CopyPlane, DataMovement.Kernel)
    /// Anything else, copied element by element.
    case other(StridedCopy)
  }

  /// The fields of `CopyArguments` besides the addresses.
  private struct CopyPlane {
    var rowCount = 1
    var columnCount: Int
    var sourceStride = 0
    var targetStride = 0

    /// With fewer rows, the next outer axis provides the rows of the plane if it is longer.
    private static let minimumRowCount = 8

    /// Removes the last axis from `axes` and makes it the rows.
    mutating func addRows(_ axes: inout [Axis]) {
      // Calling a kernel takes longer than copying two rows, such as those of a DEPTH_TO_SPACE
      // block.
      if axes.count >= 2, axes[axes.count - 1].extent < Self.minimumRowCount,
        axes[axes.count - 2].extent > axes[axes.count - 1].extent
      {
        axes.swapAt(axes.count - 1, axes.count - 2)
      }
      guard let rows = axes.popLast() else { return }
      rowCount = rows.extent
      sourceStride = rows.sourceStep
      targetStride = rows.targetStep
    }
  }

  /// An axis outside the plane: its extent, and its steps in bytes on both sides.
  private struct Axis {
    var extent: Int
    var sourceStep: Int
    var targetStep: Int
  }

  private let plane: Plane
  private let axes: [Axis]
  private let sourceOffset: Int
  private let targetOffset: Int
  private let elementWidth: Int

  package init(_ copy: StridedCopy, elementWidth: Int, _ dataMovement: DataMovement) {
    self.elementWidth = elementWidth
    var axes = copy.extents.indices.map {
      Axis(
        extent: copy.extents[$0], sourceStep: copy.source.strides[$0] * elementWidth,
        targetStep: copy.destination.strides[$0] * elementWidth)
    }
    if let kernel = dataMovement.transpose(elementWidth: elementWidth),
      let plane = Self.transposedPlane(axes, elementWidth: elementWidth)
    {
      self.plane = .rows(plane, kernel)
      axes.removeLast(2)
    } else if let plane = Self.rows(&axes, elementWidth: elementWidth) {
      self.plane = .rows(plane, dataMovement.copyRows)
    } else if let kernel = dataMovement.reverse(elementWidth: elementWidth),
      let plane = Self.reversedRows(&axes, elementWidth: elementWidth)
    {
      self.plane = .rows(plane, kernel)
    } else {
      plane = .other(copy)
    }
    self.axes = axes
    sourceOffset = copy.source.offset * elementWidth
    targetOffset = copy.destination.offset * elementWidth
  }

  /// Returns the least length of the shorter side for which a kernel copies planes faster.
  private static func minimumShortSide(elementWidth: Int) -> Int { elementWidth == 1 ? 3 : 8 }
  private static let minimumLongSide = 16

  /// Returns the last two axes as a plane, if each of them is contiguous on one side.
  private static func transposedPlane(_ axes: [Axis], elementWidth: Int) -> CopyPlane? {
    guard axes.count >= 2 else { return nil }
    let last = Array(axes.suffix(2))
    guard
      let columns = last.first(where: { $0.sourceStep == elementWidth }),
      let rows = last.first(where: { $0.targetStep == elementWidth }),
      columns.targetStep != elementWidth, rows.sourceStep != elementWidth,
      elementWidth == 4
        || min(rows.extent, columns.extent) >= minimumShortSide(elementWidth: elementWidth)
          && max(rows.extent, columns.extent) >= minimumLongSide
    else { return nil }
    return CopyPlane(
      rowCount: rows.extent, columnCount: columns.extent, sourceStride: rows.sourceStep,
      targetStride: columns.targetStep)
  }

  /// Takes the last axis, if it is contiguous on both sides, and the one before it.
  private static func rows(_ axes: inout [Axis], elementWidth: Int) -> CopyPlane? {
    var plane = CopyPlane(columnCount: elementWidth)
    if let last = axes.last {
      guard last.sourceStep == elementWidth, last.targetStep == elementWidth else { return nil }
      plane.columnCount *= last.extent
      axes.removeLast()
    }
    plane.addRows(&axes)
    return plane
  }

  /// Takes the last axis, if it is read backwards, and the one before it.
  private static func reversedRows(_ axes: inout [Axis], elementWidth: Int) -> CopyPlane? {
    guard let last = axes.last, last.sourceStep == -elementWidth, last.targetStep == elementWidth
    else { return nil }
    axes.removeLast()
    var plane = CopyPlane(columnCount: last.extent)
    plane.addRows(&axes)
    return plane
  }

  package func run(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    switch plane {
    case .other(let copy): copy.run(from: source, to: target, elementWidth: elementWidth)
    case .rows(let plane, let kernel):
      forEachPlane(0, source + sourceOffset, target + targetOffset, plane, kernel)
    }
  }

  private func forEachPlane(
    _ axis: Int, _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer,
    _ plane: CopyPlane, _ kernel: DataMovement.Kernel
  ) {
    guard axis < axes.count else {
      return kernel(
        CopyArguments(
          source: source, target: target, rowCount: plane.rowCount,
          columnCount: plane.columnCount, sourceStride: plane.sourceStride,
          targetStride: plane.targetStride))
    }
    for index in 0..<axes[axis].extent {
      forEachPlane(
        axis + 1, source + index * axes[axis].sourceStep,
        target + index * axes[axis].targetStep, plane, kernel)
    }
  }
}
