import OcellusEngine
import OcellusImaging

extension YOLOMapDecoder: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    guard let maps = Maps(facts) else { return nil }
    let sizes: [PixelPoint]
    var encoding = Encoding.exponential(spreads: [1])
    switch facts.anchors {
    case .sizes(let given): sizes = given
    case .standard(let anchors): (sizes, encoding) = (anchors.sizes, anchors.encoding)
    case .anchors, nil: return resemblance(facts, maps)
    }
    let perMap = sizes.count / maps.outputs.count
    guard perMap > 0, sizes.count.isMultiple(of: maps.outputs.count),
      let numbers = maps.numbers(anchors: perMap), numbers > 5
    else {
      return .resembles(
        "they resemble YOLO's maps, but \(sizes.count) anchors do not fit \(maps.outputs.count) of them "
          + "with \(maps.channels) channels")
    }
    let anchors = sizes.map { size in
      Anchor(
        x: 0, y: 0, width: Float(size.x) / Float(facts.inputSize.width),
        height: Float(size.y) / Float(facts.inputSize.height))
    }
    // Anchors are listed in ascending order of size; small ones belong to the map with the most
    // cells.
    let withAnchors = maps.outputs.enumerated().map { position, output in
      Map(output: output, anchors: Array(anchors[position * perMap..<(position + 1) * perMap]))
    }
    var decoder = YOLOMapDecoder(
      maps: withAnchors, classes: numbers - 5,
      classesAreExclusive: withAnchors.count == 1 && encoding != .squared)
    decoder.encoding = encoding
    decoder.isActivated =
      encoding == .squared && maps.outputs.allSatisfy { facts.isProbability($0) }
    return .likely(decoder, source: "the anchors given")
  }

  /// Recognizes maps with YOLO's strides and channels for three or five anchors in each cell.
  private static func resemblance(_ facts: DetectorFacts, _ maps: Maps) -> Recognition? {
    let strides = maps.grids.compactMap { grid in
      [8, 16, 32].first {
        grid.rows * $0 == facts.inputSize.height && grid.columns * $0 == facts.inputSize.width
      }
    }
    let hasAnchors = [3, 5].contains { (maps.numbers(anchors: $0) ?? 0) > 5 }
    // A single fine map would find small objects only: it is a heat map.
    guard strides.count == maps.grids.count, (strides.max() ?? 0) > 8, hasAnchors,
      maps.outputs.count == 3 || maps.isOfKnownAnchors
        || facts.model.graph.outputs.allSatisfy({ !$0.isProbability })
    else { return nil }
    let known = YOLOAnchors.allCases.filter {
      $0.mapCount == maps.outputs.count
        && (maps.numbers(anchors: $0.sizes.count / $0.mapCount) ?? 0) > 5
    }
    let names =
      known.isEmpty
      ? "" : ", or as a version of YOLO (\(known.map(\.rawValue).joined(separator: ", ")))"
    return .resembles(
      "they resemble YOLO's maps, whose anchors are not in the model: say which they are, as widths "
        + "and heights in pixels\(names) (anchors in the options, --anchors FILE|NAME)")
  }

  /// The outputs that may be maps, those with the most cells first.
  private struct Maps {
    let outputs: [Int]
    let grids: [(rows: Int, columns: Int)]
    /// The number of channels of a cell, for all of its anchors.
    let channels: Int
    /// The number of anchors, if the shape shows it.
    private let anchors: Int?

    init?(_ facts: DetectorFacts) {
      let shapes = facts.shapes
      guard let first = shapes.first, shapes.allSatisfy({ $0.count == first.count && $0[0] == 1 }),
        first.count == 4 || first.count == 5
      else { return nil }
      let isPlanar = Self.arePlanar(shapes, in: facts.inputSize)
      // Of five extents, the second or the fourth is the number of anchors.
      let isByAnchor = first.count == 5 && (isPlanar || shapes.allSatisfy { $0[1] == 3 })
      let channelAxis = isPlanar ? first.count - 3 : first.count - 1
      anchors = first.count == 4 ? nil : isByAnchor ? first[1] : first[3]
      channels = (anchors ?? 1) * first[channelAxis]
      let tails = shapes.map {
        [$0[channelAxis], first.count == 4 ? 1 : $0[isByAnchor ? 1 : 3]]
      }
      guard tails.allSatisfy({ $0 == tails[0] }) else { return nil }
      let rowAxis = isPlanar ? first.count - 2 : isByAnchor ? 2 : 1
      let all = shapes.map { (rows: $0[rowAxis], columns: $0[rowAxis + 1]) }
      outputs = shapes.indices.sorted {
        (all[$1].rows * all[$1].columns, $0) < (all[$0].rows * all[$0].columns, $1)
      }
      grids = outputs.map { all[$0] }
    }

    /// Whether the last two extents are those of grids of cells, and the usual ones are not.
    private static func arePlanar(_ shapes: [[Int]], in size: PixelSize) -> Bool {
      func areGrids(_ axis: (Int) -> Int) -> Bool {
        shapes.allSatisfy { shape in
          let (rows, columns) = (shape[axis(shape.count)], shape[axis(shape.count) + 1])
          return [8, 16, 32].contains { rows * $0 == size.height && columns * $0 == size.width }
        }
      }
      return areGrids { $0 - 2 } && !areGrids { _ in 1 } && !areGrids { $0 - 3 }
    }

    /// Whether the shape itself shows the number of anchors.
    var isOfKnownAnchors: Bool { anchors != nil }

    /// Returns the number of channels of an anchor; `nil` if the channels cannot be divided so.
    func numbers(anchors count: Int) -> Int? {
      guard count > 0, channels.isMultiple(of: count), anchors ?? count == count else { return nil }
      return channels / count
    }
  }
}
