/// Outputs as a YOLO network's, with a box around each cell of the input, written in any form.
///
/// The boxes are made from the cells by the definition of the grid; no code of the decoders is
/// used. All cells but one report nothing.
package struct SyntheticGrid {
  /// The order of a box's four numbers.
  package enum Order: Sendable, CaseIterable {
    case edges, turnedEdges, centerAndSize, cornerAndSize
  }

  /// The width and height of the input.
  package let side: Int
  /// The rows of each cell.
  package var anchors = 1
  package var classes = 3
  package var order = Order.edges
  package var isInPixels = true
  /// The class that the object has.
  package var category = 1

  package init(side: Int, anchors: Int = 1) {
    self.side = side
    self.anchors = anchors
  }

  private typealias Cell = (x: Float, y: Float, stride: Float)

  private var cells: [Cell] {
    var cells: [Cell] = []
    for stride in [8, 16, 32] {
      let count = (side + stride - 1) / stride
      for cell in 0..<count * count {
        let half = Float(stride) / 2
        let x = Float(cell % count * stride) + half
        let y = Float(cell / count * stride) + half
        for _ in 0..<anchors { cells.append((x, y, Float(stride))) }
      }
    }
    return cells
  }

  /// The number of rows.
  package var rows: Int { cells.count }

  /// The row of the object: that of the cell of stride 8 in column 5 and row 3.
  package var place: Int { (3 * ((side + 7) / 8) + 5) * anchors }

  /// The object's box in pixels: left, top, right, bottom.
  package let object: [Float] = [24, 8, 72, 40]

  /// The boxes, row by row.
  package var boxes: [Float] {
    var numbers: [Float] = []
    for (index, cell) in cells.enumerated() {
      // A little off the cell, and of a size that differs from row to row.
      let width = cell.stride * Float(2 + index % 3)
      let height = cell.stride * Float(2 + index % 2)
      let (left, top) = (cell.x - width * 0.45, cell.y - height * 0.55)
      numbers += written(
        index == place ? object : [left, top, left + width, top + height])
    }
    return numbers
  }

  private func written(_ edges: [Float]) -> [Float] {
    let (width, height) = (edges[2] - edges[0], edges[3] - edges[1])
    let numbers: [Float] =
      switch order {
      case .edges: edges
      case .turnedEdges: [edges[1], edges[0], edges[3], edges[2]]
      case .centerAndSize: [edges[0] + width / 2, edges[1] + height / 2, width, height]
      case .cornerAndSize: [edges[0], edges[1], width, height]
      }
    return isInPixels ? numbers : numbers.map { $0 / Float(side) }
  }

  /// The scores of all classes, row by row.
  package var scores: [Float] {
    (0..<rows).flatMap { row in
      (0..<classes).map { row == place && $0 == category ? 0.875 : 0.0625 }
    }
  }

  /// The score of the best class of each row.
  package var bestScores: [Float] { (0..<rows).map { $0 == place ? 0.875 : 0.0625 } }

  /// The best class of each row.
  package var categories: [Int] { (0..<rows).map { $0 == place ? category : 0 } }

  /// Rows of a box and scores, with the probability of an object between them if there are anchors.
  package var table: [Float] {
    let (boxes, scores) = (boxes, scores)
    var numbers: [Float] = []
    for row in 0..<rows {
      numbers += boxes[4 * row..<4 * row + 4]
      if anchors > 1 { numbers.append(1) }
      numbers += scores[classes * row..<classes * (row + 1)]
    }
    return numbers
  }

  /// The number of columns of the table.
  package var columns: Int { 4 + (anchors > 1 ? 1 : 0) + classes }

  /// Returns rows as columns.
  package static func transposed(_ numbers: [Float], columns: Int) -> [Float] {
    let rows = numbers.count / columns
    return (0..<columns).flatMap { column in (0..<rows).map { numbers[$0 * columns + column] } }
  }

  /// The scale with which integers of 8 bits cover all boxes.
  package var boxScale: Float { 1.25 * (isInPixels ? Float(side) : 1) / 255 }
}
