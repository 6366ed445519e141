import OcellusEngine
import OcellusImaging

extension YOLORowsDecoder: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    guard let table = YOLOTable(facts) else { return nil }
    let (first, last) = (table.shape[1], table.shape[2])
    if let grid = RowGrid(rows: last, in: facts.inputSize), grid.isPlausible(beside: first) {
      return grid.rowsPerCell == 1
        ? v8(facts, table, columns: first, isTransposed: true)
        : decoder(.v5, facts, table, classes: first - 5 - table.masks, isTransposed: true)
    }
    guard let grid = RowGrid(rows: first, in: facts.inputSize), grid.isPlausible(beside: last)
    else {
      return resemblance(
        facts, rowCount: max(first, last), GridCell.count(in: facts.inputSize))
    }
    if grid.rowsPerCell == 3 {
      return decoder(.v5, facts, table, classes: last - 5 - table.masks)
    }
    // v8 rows have one element less than YOLOX rows; the graph tells them apart, or the labels do.
    guard let parts = facts.model.graph.outputs[table.rows].parts(ofColumns: last) else {
      return facts.labels?.count == last - 4
        ? v8(facts, table, columns: last) : decoder(.yolox, facts, table, classes: last - 5)
    }
    // The box is followed by the objectness, which v8 does not have.
    guard let probable = classes(in: parts) else { return nil }
    if probable == last - 4, facts.labels?.count != last - 5 {
      return v8(facts, table, columns: last)
    }
    // Linear distances are YOLOX's; if the graph has decoded the boxes, the rest is as in v5.
    return decoder(
      parts[0].ending == .linear ? .yolox : .v5, facts, table, classes: last - 5 - table.masks)
  }

  /// Recognizes tables of at least a hundred rows that do not match the input's number of cells.
  private static func resemblance(
    _ facts: DetectorFacts, rowCount: Int, _ cells: Int
  ) -> Recognition? {
    guard let shape = facts.onlyShape, rowCount >= 100, (5...400).contains(min(shape[1], shape[2]))
    else { return nil }
    return .resembles(
      "they resemble YOLO's rows, but \(rowCount) places are neither the \(cells) cells of an input of "
        + "\(facts.inputSize) nor three for each: give a decoder of your own (decoder in the options)"
    )
  }

  private static func v8(
    _ facts: DetectorFacts, _ table: YOLOTable, columns: Int, isTransposed: Bool = false
  ) -> Recognition? {
    let freeColumns = columns - 4 - table.masks
    let classes = facts.model.graph.outputs[table.rows].joins.lazy.compactMap(classes).first {
      $0 <= freeColumns
    }
    let keypoints = facts.model.author?.keypointShape
    let named = facts.model.author == nil ? nil : facts.labels?.count
    let count =
      classes ?? keypoints.map { freeColumns - $0.count * $0.numbers } ?? named ?? freeColumns
    let rest = freeColumns - count
    let extras: Extras? =
      switch rest {
      case 0: table.masks > 0 ? .masks(table.masks) : Extras.none
      case 1: .angle
      case let rest where rest == (keypoints.map { $0.count * $0.numbers } ?? 0):
        keypoints.map { .keypoints($0.count, numbers: $0.numbers) }
      case let rest where rest > 0 && rest % 3 == 0: .keypoints(rest / 3, numbers: 3)
      case let rest where rest > 0 && rest % 2 == 0: .keypoints(rest / 2, numbers: 2)
      default: nil
      }
    guard let extras else { return nil }
    return decoder(
      .v8, facts, table, classes: count, extras: extras, isTransposed: isTransposed)
  }

  /// Returns the number of classes in a join of the four box numbers and probabilities.
  private static func classes(in parts: [OutputFacts.Part]) -> Int? {
    var extent = 0
    for part in parts {
      if extent == 4 { return part.ending == .sigmoid ? part.extent : nil }
      extent += part.extent
    }
    return nil
  }

  private static func decoder(
    _ family: Family, _ facts: DetectorFacts, _ table: YOLOTable, classes: Int,
    extras: Extras? = nil, isTransposed: Bool = false
  ) -> Recognition? {
    guard classes >= 1 else { return nil }
    var decoder = YOLORowsDecoder(
      family: family, isTransposed: isTransposed, inputSize: facts.inputSize,
      isInPixels: facts.isInPixels(table.rows), classes: classes,
      extras: extras ?? (table.masks > 0 ? .masks(table.masks) : .none), boxOutput: table.rows)
    decoder.certainty = certainty(facts, table)
    // Networks with anchors are not trained to score their only class. SSCMA's programs ignore its
    // score, which is nearly 1 but 0 in some of their exports of 8 bits.
    decoder.scoresObjectsOnly = family == .v5 && classes == 1 && decoder.certainty != 1
    return .likely(decoder, source: "the outputs' shapes")
  }

  /// Returns 100 if the scores are percentages, else 1.
  ///
  /// Exports that round boxes and scores alike, as SSCMA's, multiply scores by 100 to keep them.
  private static func certainty(_ facts: DetectorFacts, _ table: YOLOTable) -> Float {
    let output = facts.model.graph.outputs[table.rows]
    let factors = output.joins.lazy.compactMap { $0.last?.probabilityFactor }
    if let factor = factors.first { return (99...101).contains(factor) ? 100 : 1 }
    // No probability but 0 could be told otherwise.
    return output.rounding.map { $0.step > 1.05 } ?? false ? 100 : 1
  }
}

extension RowGrid {
  /// Whether the rows are probably rows beside a dimension of this extent.
  ///
  /// Numbers of columns match unusual grids by chance.
  fileprivate func isPlausible(beside columns: Int) -> Bool {
    strides == [8, 16, 32] || cellCount > columns
  }

  private var cellCount: Int { GridCell.count(in: size, strides: strides) }
}

/// The output of a YOLO model with the rows, and the number of mask prototypes in a second output.
///
/// Some exports also keep the maps that the rows are computed from, which have as many numbers.
struct YOLOTable {
  let rows: Int
  let shape: [Int]
  let masks: Int

  /// Finds the table; `isFinished` tables may lack the batch dimension.
  init?(_ facts: DetectorFacts, isFinished: Bool = false) {
    let shapes = facts.shapes
    let isTable = { (shape: [Int]) in
      shape.count == 3 && shape[0] == 1 || isFinished && shapes.count == 1
    }
    guard let rows = shapes.firstIndex(where: isTable) else { return nil }
    self.rows = rows
    shape = shapes[rows]
    let others = shapes.indices.filter { $0 != rows }
    if others.isEmpty || Self.areMaps(others.map { shapes[$0] }, of: shape) {
      masks = 0
      return
    }
    guard others.count == 1, let masks = facts.prototypes(others[0]) else { return nil }
    self.masks = masks
  }

  /// Whether the shapes are those of the maps, of several strides, that a table is computed from.
  private static func areMaps(_ shapes: [[Int]], of table: [Int]) -> Bool {
    func count(_ shape: [Int]) -> Int { shape.reduce(1, *) }
    return shapes.count > 1 && shapes.allSatisfy { $0.count > 3 }
      && shapes.reduce(0) { $0 + count($1) } == count(table)
  }
}
