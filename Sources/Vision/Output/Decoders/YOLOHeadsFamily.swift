import OcellusEngine
import OcellusImaging

/// YOLO v8 and its successors, cut off before the layers that compute boxes and join the strides.
///
/// For each cell there are 64 numbers of the box (16 bins for each edge) and the class scores, in
/// one map for each stride or in several; masks and keypoints may be in outputs of their own.
enum YOLOHeadsFamily: DetectorFamily {
  private static let boxColumns = 64

  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    for strides in [[8, 16, 32], [8, 16, 32, 64]] {
      for isPlanar in [false, true] {
        guard let outputs = GridOutputs(facts, strides: strides, isPlanar: isPlanar),
          let decoder = decoder(facts, outputs)
        else { continue }
        return .certain(decoder, source: "64 numbers for the box of each cell")
      }
    }
    return nil
  }

  private static func decoder(
    _ facts: DetectorFacts, _ outputs: GridOutputs
  ) -> DistributionDecoder? {
    var heads: [DistributionDecoder.Head] = []
    var scoreOutputs: [Int] = []
    var areProbabilities = false
    for (level, cellCount) in outputs.cellCounts.enumerated() {
      var parts = outputs.levels[level]
      guard let first = parts.first else { return nil }
      var head: DistributionDecoder.Head
      if parts.count == 1 {
        guard let split = split(first, facts, isEvident: outputs.areBesideFinishedRows) else {
          return nil
        }
        head = .init(cellCount: cellCount, scores: split.scores, boxes: split.boxes)
        areProbabilities = split.areProbabilities
      } else {
        guard let box = box(among: parts, facts) else { return nil }
        parts.remove(at: box.position)
        guard let roles = Roles(of: parts, facts, masks: outputs.masks) else { return nil }
        head = .init(cellCount: cellCount, scores: roles.scores, boxes: box.columns)
        head.keypoints = roles.keypoints
        scoreOutputs.append(roles.scores.output)
      }
      if let shared = outputs.shared { head.keypoints = shared }
      heads.append(head)
    }
    guard Set(heads.map(\.scores.count)).count == 1,
      Set(heads.map { $0.keypoints?.count ?? 0 }).count == 1
    else { return nil }
    if !scoreOutputs.isEmpty { areProbabilities = scoreOutputs.allSatisfy(facts.isProbability) }
    return DistributionDecoder(
      heads: heads, strides: outputs.strides, activation: areProbabilities ? .none : .sigmoid,
      inputSize: facts.inputSize, family: .yolo)
  }

  /// Divides the channels of a map with boxes and scores.
  ///
  /// The graph's last join shows them. Without it, a map might be one of anchors, as in YOLO v3.
  private static func split(
    _ columns: OutputColumns, _ facts: DetectorFacts, isEvident: Bool
  ) -> (boxes: OutputColumns, scores: OutputColumns, areProbabilities: Bool)? {
    var (boxes, scores) = (columns, columns)
    boxes.count = boxColumns
    scores.first = boxColumns
    scores.count = columns.count - boxColumns
    guard scores.count >= 1 else { return nil }
    guard
      let parts = facts.model.graph.outputs[columns.output].parts(ofColumns: columns.count)
    else {
      let couldHaveAnchors = columns.count.isMultiple(of: 3) && columns.count > 3 * 5
      let isDoubtful =
        couldHaveAnchors && facts.labels?.count != scores.count || facts.shapes.count == 1
      return isDoubtful && !isEvident ? nil : (boxes, scores, false)
    }
    guard parts.count == 2, parts[0].extent == boxColumns else { return nil }
    return (boxes, scores, parts[1].ending == .sigmoid)
  }

  /// Returns the columns of boxes: those with 64 channels, of several the first that are no scores.
  private static func box(
    among parts: [OutputColumns], _ facts: DetectorFacts
  ) -> (position: Int, columns: OutputColumns)? {
    let fitting = parts.indices.filter { parts[$0].count == boxColumns }
    let position = fitting.first { !facts.isProbability(parts[$0].output) } ?? fitting.first
    return position.map { ($0, parts[$0]) }
  }

  /// The roles of the outputs of a stride other than that of the boxes.
  private struct Roles {
    var scores: OutputColumns
    var keypoints: OutputColumns?

    init?(of parts: [OutputColumns], _ facts: DetectorFacts, masks: Int) {
      var parts = parts
      if masks > 0, parts.count > 1,
        let position = parts.lastIndex(where: {
          $0.count == masks && !facts.isProbability($0.output)
        })
      {
        parts.remove(at: position)
      }
      if parts.count == 2, let position = parts.firstIndex(where: { $0.isOfKeypoints(facts) }),
        parts[1 - position].count == 1 || facts.model.author?.keypointShape != nil
      {
        keypoints = parts.remove(at: position)
      }
      // Exports for Rockchip's processors add the sum of the scores, which is redundant.
      if parts.count == 2 { parts.remove(at: parts[0].count == 1 ? 0 : 1) }
      guard parts.count == 1 else { return nil }
      scores = parts[0]
    }
  }
}

extension OutputColumns {
  /// Whether the numbers can be those of keypoints: three for each, and not probabilities.
  func isOfKeypoints(_ facts: DetectorFacts) -> Bool {
    if let shape = facts.model.author?.keypointShape {
      return shape.numbers == 3 && count == shape.count * 3
    }
    return count > 3 && count.isMultiple(of: 3) && !facts.isProbability(output)
      && facts.labels?.count != count
  }
}

/// The outputs of a network by the stride of their cells.
struct GridOutputs {
  let strides: [Int]
  /// The number of cells of each level: of each stride, or of all together.
  private(set) var cellCounts: [Int]
  /// The outputs of each level; all levels have outputs of the same numbers of channels.
  private(set) var levels: [[OutputColumns]]
  /// The keypoints of the cells of all strides, in an output of their own.
  private(set) var shared: OutputColumns?
  /// The number of mask prototypes, which are a quarter of the input in size; 0 without masks.
  private(set) var masks = 0
  /// Whether the finished rows are an output, too, which shows what the heads are.
  private(set) var areBesideFinishedRows = false

  /// Finds the outputs; `nil` if one of them is neither of a stride nor of all, or has another layout.
  init?(_ facts: DetectorFacts, strides: [Int], isPlanar: Bool) {
    let size = facts.inputSize
    self.strides = strides
    cellCounts = strides.map { GridCell.count(in: size, strides: [$0]) }
    levels = strides.map { _ in [] }
    let total = cellCounts.reduce(0, +)
    var whole: [OutputColumns] = []
    for output in facts.model.originalOrder {
      let shape = facts.shapes[output]
      if let count = facts.prototypes(output), masks == 0 {
        masks = count
        continue
      }
      guard let (level, channels, hasPlanes) = place(shape, size, total: total, isPlanar) else {
        return nil
      }
      let firstCell = cellCounts[..<(level ?? 0)].reduce(0, +)
      let columns = OutputColumns(
        output: output, count: channels, channels: channels, isPlanar: hasPlanes,
        firstCell: firstCell)
      if let level { levels[level].append(columns) } else { whole.append(columns) }
    }
    if levels.allSatisfy(\.isEmpty) {
      (levels, cellCounts) = ([whole], [total])
      return
    }
    dropFinishedRows(&whole)
    if masks > 0 { whole.removeAll { $0.count == masks } }
    guard Set(levels.map { $0.map(\.count).sorted() }).count == 1, whole.count <= 1,
      whole.allSatisfy({ $0.isOfKeypoints(facts) })
    else { return nil }
    shared = whole.first
  }

  /// Drops the finished rows that some exports keep beside the heads that they are computed from.
  ///
  /// They have four numbers where the heads have 64, and everything that is in outputs for all strides.
  private mutating func dropFinishedRows(_ whole: inout [OutputColumns]) {
    let channels = levels[0].reduce(0) { $0 + $1.count }
    let rest = whole.reduce(0) { $0 + $1.count }
    guard
      let finished = whole.firstIndex(where: { $0.count - 4 == channels - 64 + rest - $0.count })
    else { return }
    whole.remove(at: finished)
    areBesideFinishedRows = true
  }

  /// Returns the stride that an output's shape belongs to (`nil`: all), its channels and its layout.
  private func place(
    _ shape: [Int], _ size: PixelSize, total: Int, _ isPlanar: Bool
  ) -> (level: Int?, channels: Int, isPlanar: Bool)? {
    guard shape.first == 1, (3...4).contains(shape.count) else { return nil }
    if shape.count == 4 {
      let level = strides.firstIndex { stride in
        let grid = [size.height, size.width].map { ($0 + stride - 1) / stride }
        return Array(isPlanar ? shape[2...] : shape[1...2]) == grid
      }
      return level.map { ($0, isPlanar ? shape[1] : shape[3], isPlanar) }
    }
    for hasPlanes in [isPlanar, !isPlanar] {
      let (cells, channels) = hasPlanes ? (shape[2], shape[1]) : (shape[1], shape[2])
      if cells == total { return (nil, channels, hasPlanes) }
      if let level = cellCounts.firstIndex(of: cells) { return (level, channels, hasPlanes) }
    }
    return nil
  }
}

extension DetectorFacts {
  /// Returns the number of mask prototypes of an output: maps of a quarter of the input in size.
  func prototypes(_ output: Int) -> Int? {
    let shape = shapes[output]
    let (width, height) = (inputSize.width / 4, inputSize.height / 4)
    guard shape.count == 4, shape[0] == 1 else { return nil }
    if shape[1] == height, shape[2] == width { return shape[3] }
    return shape[2] == height && shape[3] == width ? shape[1] : nil
  }
}
