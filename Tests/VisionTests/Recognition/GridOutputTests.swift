import OcellusImaging
import OcellusModelFile
import OcellusTestSupport
import OcellusVision
import Testing

/// Outputs with a box for each cell, in the forms in which exports write them: each is read alike.
@Suite struct GridOutputTests {
  private typealias Output = SyntheticNetwork.Output

  /// The form of the numbers of an output.
  enum Form: Sendable, CaseIterable { case floats, unsigned, signed, wide }

  private func output(
    _ shape: [Int], _ values: [Float], _ form: Form, scale: Float, zero: Int = 0
  ) -> Output {
    switch form {
    case .floats: .constant(shape, values)
    case .unsigned: .quantized(shape, values, .uint8, scale: scale, zeroPoint: zero)
    case .signed: .quantized(shape, values, .int8, scale: scale, zeroPoint: zero - 128)
    case .wide: .quantized(shape, values, .int16, scale: scale / 128, zeroPoint: 0)
    }
  }

  private func boxes(_ grid: SyntheticGrid, _ form: Form, isTransposed: Bool = false) -> Output {
    output(
      isTransposed ? [1, 4, grid.rows] : [1, grid.rows, 4],
      isTransposed ? SyntheticGrid.transposed(grid.boxes, columns: 4) : grid.boxes, form,
      scale: grid.boxScale, zero: 25)
  }

  private func expectObject(
    of grid: SyntheticGrid, _ outputs: [(String, Output)], labels: Labels? = nil,
    tolerance: Double = 0.01, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let model = try SyntheticNetwork(
      input: [1, grid.side, grid.side, 3], outputs.map { (name: $0, output: $1) }
    ).model()
    let detector = try ObjectDetector(
      model, options: .init(labels: labels, input: .init(normalization: .unit)))
    let size = PixelSize(width: grid.side, height: grid.side)
    let found = try detector.detect(in: Image(uninitialized: .rgb8, size: size))
    try #require(found.count == 1, "\(detector.explanation)", sourceLocation: sourceLocation)
    let box = found[0].box
    let differences = zip([box.left, box.top, box.right, box.bottom], grid.object).map {
      abs($0 - Double($1))
    }
    #expect(
      differences.allSatisfy { $0 <= tolerance }, "\(box)", sourceLocation: sourceLocation)
    #expect(found[0].categories[0].index == grid.category, sourceLocation: sourceLocation)
    #expect(abs(found[0].score - 0.875) < 0.01, sourceLocation: sourceLocation)
  }

  /// The exports for Qualcomm's accelerators: boxes, the best score of each, and its class.
  @Test(arguments: SyntheticGrid.Order.allCases, Form.allCases)
  func bestClassesOfCells(order: SyntheticGrid.Order, form: Form) throws {
    for (side, isInPixels, anchors) in [(96, true, 1), (320, false, 1), (320, true, 3)] {
      var grid = SyntheticGrid(side: side, anchors: anchors)
      (grid.order, grid.isInPixels) = (order, isInPixels)
      let step = Double(grid.boxScale) * (isInPixels ? 1 : Double(side))
      try expectObject(
        of: grid,
        [
          ("boxes", boxes(grid, form)),
          ("scores", output([1, grid.rows], grid.bestScores, form, scale: 1 / 256)),
          ("class_idx", .integers([1, grid.rows], grid.categories, .uint8)),
        ], tolerance: form == .floats ? 0.01 : 1.5 * step)
    }
  }

  /// The roles without names: types, ranges and operators show them, in any order of the outputs.
  @Test(arguments: [TensorType.uint8, .int32, .int64])
  func rolesWithoutNames(type: TensorType) throws {
    let grid = SyntheticGrid(side: 320)
    try expectObject(
      of: grid,
      [
        ("a", .integers([1, grid.rows, 1], grid.categories, type)),
        ("b", output([1, grid.rows, 1], grid.bestScores, .signed, scale: 1 / 256)),
        ("c", boxes(grid, .signed)),
      ], tolerance: 2.5)
  }

  @Test(arguments: SyntheticGrid.Order.allCases, [1, 3, 80])
  func boxesAndScoresOfClasses(order: SyntheticGrid.Order, classes: Int) throws {
    for (isInPixels, isTransposed) in [(true, false), (false, true), (true, true)] {
      var grid = SyntheticGrid(side: 256)
      (grid.order, grid.isInPixels, grid.classes) = (order, isInPixels, classes)
      grid.category = min(1, classes - 1)
      let scores =
        isTransposed
        ? SyntheticGrid.transposed(grid.scores, columns: classes) : grid.scores
      let shape = isTransposed ? [1, classes, grid.rows] : [1, grid.rows, classes]
      for form in [Form.floats, .unsigned] {
        try expectObject(
          of: grid,
          [
            ("first", output(shape, scores, form, scale: 1 / 256)),
            ("second", boxes(grid, form, isTransposed: isTransposed)),
          ], tolerance: form == .floats ? 0.01 : 2)
      }
    }
  }

  @Test func objectsApartFromClasses() throws {
    var grid = SyntheticGrid(side: 320, anchors: 3)
    grid.order = .centerAndSize
    let certain = [Float](repeating: 1, count: grid.rows)
    try expectObject(
      of: grid,
      [
        ("boxes", boxes(grid, .floats)), ("objects", .constant([1, grid.rows, 1], certain)),
        ("classes", .constant([1, grid.rows, 3], grid.scores)),
      ])
  }

  @Test(arguments: [1, 3], [1, 3, 80])
  func tables(anchors: Int, classes: Int) throws {
    for side in [320, 416] {
      for (order, isInPixels) in [
        (SyntheticGrid.Order.centerAndSize, true), (.centerAndSize, false), (.edges, true),
        (.edges, false), (.turnedEdges, true),
      ] {
        var grid = SyntheticGrid(side: side, anchors: anchors)
        (grid.order, grid.isInPixels, grid.classes) = (order, isInPixels, classes)
        grid.category = min(1, classes - 1)
        let columns = SyntheticGrid.transposed(grid.table, columns: grid.columns)
        let labels = Labels((0..<classes).map { "class \($0)" })
        try expectObject(
          of: grid, [("rows", .constant([1, grid.rows, grid.columns], grid.table))],
          labels: labels)
        try expectObject(
          of: grid, [("columns", .constant([1, grid.columns, grid.rows], columns))],
          labels: labels)
      }
    }
  }

  /// One scale for pixels and scores is too coarse for probabilities, so exporters use percentages.
  @Test func percentages() throws {
    var grid = SyntheticGrid(side: 320, anchors: 3)
    grid.order = .centerAndSize
    var table = grid.table
    for index in table.indices where index % grid.columns >= 4 { table[index] *= 100 }
    let shape = [1, grid.rows, grid.columns]
    let coarse = Output.quantized(shape, table, .int8, scale: 1.75, zeroPoint: -128)
    try expectObject(of: grid, [("rows", coarse)], tolerance: 3)
    // The graph shows the factor, where floats do not.
    let parts: [Output] = [
      .constant([1, grid.rows, 4], grid.boxes),
      .scaled(
        .sigmoid(
          [1, grid.rows, 4],
          (0..<grid.rows).flatMap { row -> [Float] in
            row == grid.place ? [30, -30, 1.9459101, -30] : [-30, -30, -30, -30]
          }), by: 100),
    ]
    try expectObject(of: grid, [("rows", .joined(parts, axis: 2))])
  }

  /// Rounding has turned the score of the only class, which is always 1, into 0.
  @Test func onlyClassThatWasRoundedAway() throws {
    var grid = SyntheticGrid(side: 320, anchors: 3)
    (grid.order, grid.classes, grid.category) = (.centerAndSize, 1, 0)
    var table = grid.table
    for row in 0..<grid.rows { table.replaceSubrange(6 * row + 4...6 * row + 5, with: [0, 0]) }
    table[6 * grid.place + 4] = 87.5
    let coarse = Output.quantized([1, grid.rows, 6], table, .int8, scale: 1.75, zeroPoint: -128)
    try expectObject(of: grid, [("rows", coarse)], tolerance: 3)
  }

  /// Exports of whole lists keep the maps that the rows were computed from.
  @Test func rowsBesideTheirMaps() throws {
    var grid = SyntheticGrid(side: 320, anchors: 3)
    grid.order = .centerAndSize
    for shape in [{ [1, 3, $0, $0, 8] }, { [1, $0, $0, 24] }, { [1, 24, $0, $0] }]
      as [(Int) -> [Int]]
    {
      var outputs: [(String, Output)] = [40, 20, 10].map { side in
        ("map\(side)", .linear(shape(side), [Float](repeating: 3, count: side * side * 24)))
      }
      outputs.insert(("rows", .constant([1, grid.rows, grid.columns], grid.table)), at: 1)
      try expectObject(of: grid, outputs)
    }
  }

  @Test func strides() throws {
    // 64 · 64 + 32 · 32 + 16 · 16 + 8 · 8 cells with three anchors, as YOLO's P6 variants have.
    let rows = 3 * 5440
    var table = [Float](repeating: 0, count: 6 * rows)
    table.replaceSubrange(6 * 100..<6 * 101, with: [256, 128, 64, 32, 1, 0.875])
    let network = SyntheticNetwork(
      input: [1, 512, 512, 3], [(name: "rows", output: .constant([1, rows, 6], table))])
    let detector = try ObjectDetector(
      network.model(), options: .init(input: .init(normalization: .unit)))
    let size = PixelSize(width: 512, height: 512)
    let found = try detector.detect(in: Image(uninitialized: .rgb8, size: size))
    #expect(found.map(\.box) == [BoundingBox(x: 224, y: 112, width: 64, height: 32)])
  }

  /// Few finished boxes are not suppressed, and their unit is that of their numbers.
  @Test func finishedBoxesOfOtherFrameworks() throws {
    for (boxes, type) in [
      ([8, 16, 40, 48, 9, 17, 41, 49, 0, 0, 0, 0] as [Float], TensorType.int64),
      ([0.25, 0.125, 0.75, 0.625, 0.265625, 0.140625, 0.765625, 0.640625, 0, 0, 0, 0], .int32),
    ] {
      let network = SyntheticNetwork(
        input: [1, 64, 64, 3],
        [
          (name: "boxes", output: .constant([1, 3, 4], boxes)),
          (name: "scores", output: .constant([1, 3], [0.875, 0.75, 0])),
          (name: "labels", output: .integers([1, 3], [2, 2, 0], type)),
        ])
      let detector = try ObjectDetector(
        network.model(), options: .init(input: .init(normalization: .unit)))
      let size = PixelSize(width: 64, height: 64)
      let found = try detector.detect(in: Image(uninitialized: .rgb8, size: size))
      #expect(found.count == 2)
      #expect(found.first?.box == BoundingBox(left: 8, top: 16, right: 40, bottom: 48))
    }
  }
}
