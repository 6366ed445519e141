import OcellusEngine
import OcellusImaging

/// Decodes the maps of YOLO v2 to v5 and v7, and of their small variants.
///
/// Each cell has, for every anchor, the position, the size, the objectness and the class scores,
/// all as logits.
public struct YOLOMapDecoder: DetectionDecoder {
  /// The encoding of a box relative to a cell and an anchor.
  public enum Encoding: Hashable, Sendable {
    /// YOLO v2 to v4: sizes are exponentials; positions are sigmoids, stretched about their middle by
    /// a factor for each map, the finest first, or by one for all maps.
    case exponential(spreads: [Float])
    /// YOLO v5 and v7: positions are twice a sigmoid, sizes four times its square.
    case squared
  }

  /// An output map, with its anchors.
  public struct Map: Hashable, Sendable {
    /// The index of the output of shape [1, rows, columns, anchors × (5 + classes)].
    ///
    /// It may also have the shapes [1, anchors, rows, columns, 5 + classes] and
    /// [1, rows, columns, anchors, 5 + classes].
    public var output: Int
    /// The sizes of the anchors, in fractions of the input.
    public var anchors: [Anchor]

    /// Creates a map from an output and the anchors of each of its cells.
    public init(output: Int, anchors: [Anchor]) {
      self.output = output
      self.anchors = anchors
    }
  }

  /// The maps.
  public var maps: [Map]
  /// The number of classes.
  public var classes: Int
  /// Whether classes exclude each other (softmax, as in YOLO v2) or are independent (sigmoid).
  public var classesAreExclusive: Bool
  /// The encoding of a box.
  public var encoding = Encoding.exponential(spreads: [1])
  /// Whether the graph has applied the sigmoids.
  var isActivated = false

  /// Creates a decoder for these maps.
  public init(maps: [Map], classes: Int, classesAreExclusive: Bool = false) {
    self.maps = maps
    self.classes = classes
    self.classesAreExclusive = classesAreExclusive
  }

  /// The number of classes.
  public var categoryCount: Int? { classes }

  /// A description of the family.
  public var summary: String {
    "YOLO maps, \(maps.count) of them with \(maps.first?.anchors.count ?? 0) anchors each"
  }

  /// Darknet's training: values from 0 to 1.
  public var inputConvention: PictureInput.Convention { .init(normalization: .unit) }

  /// Returns the candidates that score at least `threshold`, in the order of the outputs.
  public func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    var found: [Candidate] = []
    var originCount = 0
    for (level, map) in maps.enumerated() {
      let output = outputs[map.output]
      guard let grid = Grid(output.shape, anchors: map.anchors.count, numbers: 5 + classes) else {
        throw .mismatched("the output '\(output.name)' is no map with these anchors and classes")
      }
      grid.withNumbersTogether(output.values) { values in
        for cell in 0..<grid.rows * grid.columns {
          for (index, anchor) in map.anchors.enumerated() {
            let start = grid.place(cell, index) * (5 + classes)
            let numbers = UnsafeBufferPointer(rebasing: values[start..<start + 5 + classes])
            let (column, row) = (cell % grid.columns, cell / grid.columns)
            let cellAnchor = Anchor(
              x: Float(column), y: Float(row), width: anchor.width, height: anchor.height)
            let origin = Candidate.Origin(index: originCount, column: column, row: row)
            originCount += 1
            add(numbers, at: cellAnchor, origin, grid, spread: spread(level), threshold, to: &found)
          }
        }
      }
    }
    return found
  }

  /// The shape of a map.
  struct Grid {
    let rows: Int
    let columns: Int
    private let anchors: Int
    private let numbers: Int
    /// Whether all cells of an anchor come before those of the next.
    private let isByAnchor: Bool
    /// Whether all cells of a number come before those of the next.
    let isPlanar: Bool

    /// Creates the grid of a map with `numbers` for each anchor of a cell; `nil` for other shapes.
    init?(_ shape: [Int], anchors: Int, numbers: Int) {
      (self.anchors, self.numbers) = (anchors, numbers)
      guard shape.count == 4 || shape.count == 5, shape[0] == 1 else { return nil }
      let tail = Array(shape.dropFirst())
      if tail.count == 3 {
        guard tail[2] == anchors * numbers || tail[0] == anchors * numbers else { return nil }
        isPlanar = tail[2] != anchors * numbers
        isByAnchor = isPlanar
        (rows, columns) = isPlanar ? (tail[1], tail[2]) : (tail[0], tail[1])
      } else if tail[3] == numbers {
        guard tail[0] == anchors || tail[2] == anchors else { return nil }
        isPlanar = false
        isByAnchor = tail[0] == anchors
        (rows, columns) = isByAnchor ? (tail[1], tail[2]) : (tail[0], tail[1])
      } else {
        guard tail[0] == anchors, tail[1] == numbers else { return nil }
        (isPlanar, isByAnchor) = (true, true)
        (rows, columns) = (tail[2], tail[3])
      }
    }

    /// Returns the index of a cell's anchor, where the numbers of each are together.
    func place(_ cell: Int, _ anchor: Int) -> Int {
      isByAnchor ? anchor * rows * columns + cell : cell * anchors + anchor
    }

    /// Gives `body` the output with the numbers of each anchor of a cell one after the other.
    func withNumbersTogether(
      _ values: UnsafeBufferPointer<Float>, _ body: (UnsafeBufferPointer<Float>) -> Void
    ) {
      guard isPlanar else { return body(values) }
      let cells = rows * columns
      let together = (0..<anchors).flatMap { anchor in
        (0..<cells).flatMap { cell in
          (0..<numbers).map { values[(anchor * numbers + $0) * cells + cell] }
        }
      }
      together.withUnsafeBufferPointer(body)
    }
  }

  /// The factor by which positions are stretched.
  private func spread(_ level: Int) -> Float {
    guard case .exponential(let spreads) = encoding else { return 2 }
    return spreads.isEmpty ? 1 : spreads[min(level, spreads.count - 1)]
  }

  private func activated(_ value: Float) -> Float { isActivated ? value : sigmoid(value) }

  private func add(
    _ numbers: UnsafeBufferPointer<Float>, at cell: Anchor, _ origin: Candidate.Origin,
    _ grid: Grid, spread: Float, _ threshold: Float, to found: inout [Candidate]
  ) {
    let objectness = activated(numbers[4])
    guard objectness >= threshold else { return }
    let largest = (5..<5 + classes).map { numbers[$0] }.max() ?? 0
    let total =
      classesAreExclusive
      ? (5..<5 + classes).reduce(0) { $0 + exponential(numbers[$1] - largest) } : 1
    for category in 0..<classes {
      let raw = numbers[5 + category]
      let likelihood = classesAreExclusive ? exponential(raw - largest) / total : activated(raw)
      guard objectness * likelihood >= threshold else { continue }
      let width = Double(factor(numbers[2]) * cell.width)
      let height = Double(factor(numbers[3]) * cell.height)
      let x = Double((position(numbers[0], spread) + cell.x) / Float(grid.columns))
      let y = Double((position(numbers[1], spread) + cell.y) / Float(grid.rows))
      found.append(
        Candidate(
          box: BoundingBox(x: x - width / 2, y: y - height / 2, width: width, height: height),
          category: category, score: objectness * likelihood, origin: origin))
    }
  }

  /// Returns the distance of a centre from its cell's corner, in cells.
  private func position(_ value: Float, _ spread: Float) -> Float {
    (activated(value) - 0.5) * spread + 0.5
  }

  /// Returns the size of a box in sizes of its anchor.
  private func factor(_ value: Float) -> Float {
    guard case .squared = encoding else { return exponential(value) }
    let root = 2 * activated(value)
    return root * root
  }
}
