/// A window that slides over the planes, rows and columns of a volume.
package struct VolumeGeometry: Sendable, Hashable {
  package let planes: WindowAxis
  package let rows: WindowAxis
  package let columns: WindowAxis

  /// How many positions the window has.
  package var positionCount: Int {
    planes.outputExtent * rows.outputExtent * columns.outputExtent
  }

  /// Calls `body` for every position and every tap that lies inside there, both counted row-major,
  /// with the voxel that it meets, until the run is stopped.
  @inline(__always)
  package func forEachTap(
    until control: RunControl, _ body: (_ position: Int, _ tap: Int, _ voxel: Int) -> Void
  ) {
    var position = 0
    for plane in 0..<planes.outputExtent {
      for row in 0..<rows.outputExtent where !control.isOver {
        for column in 0..<columns.outputExtent {
          forEachTap(plane, row, column) { body(position, $0, $1) }
          position += 1
        }
      }
    }
  }

  @inline(__always)
  private func forEachTap(
    _ plane: Int, _ row: Int, _ column: Int, _ body: (_ tap: Int, _ voxel: Int) -> Void
  ) {
    for planeTap in planes.taps(at: plane) {
      let inputPlane = planes.origin(of: plane) + planeTap * planes.dilation
      for rowTap in rows.taps(at: row) {
        let inputRow = rows.origin(of: row) + rowTap * rows.dilation
        let line = (inputPlane * rows.inputExtent + inputRow) * columns.inputExtent
        let tapLine = (planeTap * rows.tapCount + rowTap) * columns.tapCount
        for columnTap in columns.taps(at: column) {
          body(
            tapLine + columnTap,
            line + columns.origin(of: column) + columnTap * columns.dilation)
        }
      }
    }
  }
}
