import OcellusImaging

/// Finds the order and the unit of boxes in their numbers, as far as the model does not tell them.
///
/// A network with a grid puts each box around a cell. Boxes that are read in another order lie
/// elsewhere, so the right order is the one whose boxes are nearest to their cells.
struct BoxReading: Hashable {
  /// The size of the input, in pixels.
  var inputSize: PixelSize
  /// The cells that the boxes belong to; `nil` if they belong to none.
  var grid: RowGrid?
  /// Whether the numbers are pixels of the input, if that is known.
  var isInPixels: Bool?
  /// The coordinates of boxes in networks of this kind, unless the numbers say otherwise.
  var usual: BoxLayout.Kind

  /// The number of boxes that are looked at: a share of the many is enough.
  private static let samples = 256
  /// The number of boxes below which nothing can be said about their order.
  private static let fewestSamples = 64
  /// The share of the usual order's distance from the cells that another order must stay below.
  private static let superiority = 0.7
  /// The mean of the largest number of boxes above which the numbers are pixels.
  ///
  /// Boxes extend beyond the picture a little, but not by its whole size.
  private static let largestFraction: Float = 2

  /// Returns the layout of the boxes in the first four columns.
  func layout(of boxes: OutputRows) -> BoxLayout {
    let rows = samples(of: boxes)
    let isInPixels = isInPixels ?? Self.areInPixels(boxes, rows)
    func layout(_ kind: BoxLayout.Kind, isTurned: Bool = false) -> BoxLayout {
      BoxLayout(
        kind: kind, positions: isTurned ? [1, 0, 3, 2] : [0, 1, 2, 3],
        width: isInPixels ? Double(inputSize.width) : 1,
        height: isInPixels ? Double(inputSize.height) : 1)
    }
    guard let grid else {
      guard usual == .edges else { return layout(usual) }
      // TensorFlow's detectors write fractions with y first, PyTorch's write pixels with x first.
      let edges = layout(.edges, isTurned: !isInPixels)
      let areEdges = 2 * rows.count { boxes.box(edges, $0).area > 0 } >= rows.count
      return areEdges ? edges : layout(.center)
    }
    guard rows.count >= Self.fewestSamples else {
      return layout(usual == .edges && !Self.areOrdered(boxes, rows) ? .center : usual)
    }
    let usual = layout(usual)
    let layouts = [BoxLayout.Kind.edges, .center, .corner].flatMap {
      [layout($0), layout($0, isTurned: true)]
    }
    let cells = grid.orders.map { order in rows.map { grid.cell(ofRow: $0, in: order) } }
    func distance(_ layout: BoxLayout) -> Double {
      let centers = rows.map { boxes.box(layout, $0).center }
      return cells.map { grid.medianDistance(of: centers, from: $0) }.min() ?? .infinity
    }
    let distances = layouts.map(distance)
    guard let best = distances.indices.min(by: { distances[$0] < distances[$1] }),
      distances[best] < Self.superiority * distance(usual)
    else { return usual }
    return layouts[best]
  }

  /// Returns rows from all over the outputs; those that are zero are unused, and say nothing.
  private func samples(of boxes: OutputRows) -> [Int] {
    func used(every step: Int) -> [Int] {
      stride(from: 0, to: boxes.count, by: step).filter { row in
        (0..<4).contains { boxes[row, $0] != 0 }
      }
    }
    let rows = used(every: max(boxes.count / Self.samples, 1))
    return rows.count >= Self.samples / 8 ? rows : used(every: 1)
  }

  /// Whether right is hardly ever before left, nor bottom before top, as in edges.
  ///
  /// In centres and sizes, that would take an object of more than its distance from the left edge
  /// in every cell.
  private static func areOrdered(_ boxes: OutputRows, _ rows: [Int]) -> Bool {
    let ordered = rows.count { boxes[$0, 2] >= boxes[$0, 0] && boxes[$0, 3] >= boxes[$0, 1] }
    return 100 * ordered >= 98 * rows.count
  }

  private static func areInPixels(_ boxes: OutputRows, _ rows: [Int]) -> Bool {
    let largest = rows.map { row in (0..<4).map { boxes[row, $0] }.max() ?? 0 }
    return largest.reduce(0, +) > largestFraction * Float(largest.count)
  }
}

extension RowGrid {
  /// Returns the median distance of points, in fractions of the input, from cells' centres.
  ///
  /// It is in sizes of the cells, and infinite without points.
  fileprivate func medianDistance(of points: [PixelPoint], from cells: [GridCell?]) -> Double {
    let distances = zip(points, cells).map { point, cell -> Double in
      guard let cell else { return .infinity }
      let center = cell.point(x: 0.5, y: 0.5, in: size)
      let distance =
        abs(point.x - center.x) * Double(size.width)
        + abs(point.y - center.y) * Double(size.height)
      return distance.isFinite ? distance / Double(cell.stride) : .infinity
    }
    return distances.isEmpty ? .infinity : distances.sorted()[distances.count / 2]
  }
}
