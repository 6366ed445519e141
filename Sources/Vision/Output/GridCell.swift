import OcellusImaging

/// A cell of one of the grids that a network divides its input into.
struct GridCell: Hashable {
  let column: Int
  let row: Int
  /// The width and height in pixels of the input.
  let stride: Int

  /// Returns the cells of one stride after the other, row by row.
  ///
  /// Cells that extend beyond the input are included.
  static func all(in size: PixelSize, strides: [Int] = [8, 16, 32]) -> [GridCell] {
    strides.flatMap { stride in
      (0..<(size.height + stride - 1) / stride).flatMap { row in
        (0..<(size.width + stride - 1) / stride).map {
          GridCell(column: $0, row: row, stride: stride)
        }
      }
    }
  }

  /// Returns the number of cells without listing them: an untrusted model's input may be huge.
  static func count(in size: PixelSize, strides: [Int] = [8, 16, 32]) -> Int {
    strides.reduce(0) { count, stride in
      let (columns, rows) = (
        (size.width + stride - 1) / stride, (size.height + stride - 1) / stride
      )
      return count + columns * rows
    }
  }

  /// Converts a box in cell units from this cell's upper left corner to fractions of the input.
  func box(
    x: Float, y: Float, width: Float, height: Float, in size: PixelSize
  ) -> BoundingBox {
    let scale = Float(stride)
    let (width, height) = (Double(width * scale), Double(height * scale))
    let (x, y) = (Double((x + Float(column)) * scale), Double((y + Float(row)) * scale))
    return BoundingBox(x: x - width / 2, y: y - height / 2, width: width, height: height)
      .scaled(x: 1 / Double(size.width), y: 1 / Double(size.height))
  }

  /// Converts a point in cell units from this cell's upper left corner to fractions of the input.
  func point(x: Float, y: Float, in size: PixelSize) -> PixelPoint {
    PixelPoint(
      x: Double((x + Float(column)) * Float(stride)) / Double(size.width),
      y: Double((y + Float(row)) * Float(stride)) / Double(size.height))
  }
}

extension Candidate.Origin {
  /// Creates the origin of a candidate in a cell, which belongs to row `index` of the outputs.
  init(_ cell: GridCell, index: Int) {
    self.init(index: index, column: cell.column, row: cell.row)
  }
}
