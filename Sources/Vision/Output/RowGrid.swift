import OcellusImaging

/// The cells that the rows of a network's outputs belong to, stride by stride.
struct RowGrid: Hashable {
  /// The order of the rows.
  struct Order: Hashable {
    /// Whether the rows of all cells with the first anchor come first, then those with the second.
    var isByAnchor: Bool
    /// Whether the largest stride comes first.
    var isCoarseFirst: Bool
  }

  /// The size of the input.
  let size: PixelSize
  /// The widths and heights of cells in pixels, in ascending order.
  let strides: [Int]
  /// The number of rows of each cell: one, or one for each of its anchors.
  let rowsPerCell: Int

  /// The strides of YOLO's networks.
  private static let usualStrides = [8, 16, 32]
  /// The strides of variants for large pictures, for small objects, and of tiny networks.
  private static let otherStrides = [[8, 16, 32, 64], [4, 8, 16, 32], [16, 32]]
  /// The fewest rows for which other strides are considered: small numbers match by chance.
  private static let fewestRows = 100

  /// Finds the grid whose cells have this many rows; `nil` if there is none.
  init?(rows: Int, in size: PixelSize) {
    let strides = [Self.usualStrides] + (rows >= Self.fewestRows ? Self.otherStrides : [])
    for strides in strides {
      let cells = GridCell.count(in: size, strides: strides)
      for rowsPerCell in [1, 3] where cells > 0 && rows == rowsPerCell * cells {
        self.size = size
        self.strides = strides
        self.rowsPerCell = rowsPerCell
        return
      }
    }
    return nil
  }

  /// The orders that the rows may have.
  var orders: [Order] {
    [false, true].flatMap { isCoarseFirst in
      (rowsPerCell == 1 ? [false] : [false, true]).map {
        Order(isByAnchor: $0, isCoarseFirst: isCoarseFirst)
      }
    }
  }

  /// Returns the cell of a row.
  func cell(ofRow row: Int, in order: Order) -> GridCell? {
    var row = row
    for stride in order.isCoarseFirst ? strides.reversed() : strides {
      let columns = (size.width + stride - 1) / stride
      let count = columns * ((size.height + stride - 1) / stride)
      if row < count * rowsPerCell {
        let cell = order.isByAnchor ? row % count : row / rowsPerCell
        return GridCell(column: cell % columns, row: cell / columns, stride: stride)
      }
      row -= count * rowsPerCell
    }
    return nil
  }
}
