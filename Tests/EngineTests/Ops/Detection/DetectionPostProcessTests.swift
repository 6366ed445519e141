import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Two anchors that decode to the same box, a background column and two classes.
@Suite struct DetectionPostProcessTests {
  private struct Detections: Equatable {
    var boxes: [Float]
    var classes: [Float]
    var scores: [Float]
    var count: [Float]
  }

  private func detections(
    scores: [Float], _ changes: [String: FlexValue] = [:]
  ) throws -> Detections {
    let options: [String: FlexValue] = [
      "max_detections": .int(2), "max_classes_per_detection": .int(1), "num_classes": .int(2),
      "nms_score_threshold": .float(0.2), "nms_iou_threshold": .float(0.5), "y_scale": .float(10),
      "x_scale": .float(10), "h_scale": .float(5), "w_scale": .float(5),
    ]
    let anchors: [Float] = [0.5, 0.5, 1, 1, 0.5, 0.5, 1, 1]
    let writer = ModelWriter.singleOperator(
      OperatorCodeRecord(
        builtinCode: BuiltinOperator.custom, customCode: "TFLite_Detection_PostProcess"),
      reading: [
        .init("encodings", .float32, [1, 2, 4]), .init("scores", .float32, [1, 2, 3]),
        .init("anchors", .float32, [2, 4], constant: .init(bytesOf: anchors)),
      ],
      writing: ["boxes", "classes", "scores", "count"].map { .init($0, .float32, []) },
      customOptions: FlexValue.map(options.merging(changes) { $1 }).encoded)
    let interpreter = try Interpreter(Model(bytes: writer.bytes()))
    try interpreter.setInput(at: 0, to: [Float](repeating: 0, count: 8))
    try interpreter.setInput(at: 1, to: scores)
    try interpreter.run()
    return Detections(
      boxes: try interpreter.output(at: 0), classes: try interpreter.output(at: 1),
      scores: try interpreter.output(at: 2), count: try interpreter.output(at: 3))
  }

  @Test func aBoxIsSuppressedByItsBestClass() throws {
    let found = try detections(scores: [0.9, 0.75, 0.25, 0.9, 0.375, 0.5])
    #expect(
      found
        == Detections(
          boxes: [0, 0, 1, 1, 0, 0, 0, 0], classes: [0, 0], scores: [0.75, 0], count: [1]))
  }

  @Test func regularSuppressionGoesClassByClass() throws {
    let found = try detections(
      scores: [0.9, 0.75, 0.25, 0.9, 0.375, 0.5], ["use_regular_nms": .bool(true)])
    #expect(
      found
        == Detections(
          boxes: [0, 0, 1, 1, 0, 0, 1, 1], classes: [0, 1], scores: [0.75, 0.5], count: [2]))
  }

  @Test func rowsOfOneBoxCountOnce() throws {
    let found = try detections(
      scores: [0.9, 0.25, 0.75, 0.9, 0, 0],
      ["max_detections": .int(1), "max_classes_per_detection": .int(2)])
    #expect(found.classes == [1, 0])
    #expect(found.scores == [0.75, 0.25])
    #expect(found.count == [1])
  }

  @Test(arguments: [
    ["nms_iou_threshold": FlexValue.float(0)], ["num_classes": .int(0)], ["num_classes": .int(1)],
    ["max_detections": .int(.max), "max_classes_per_detection": .int(.max)],
    ["max_classes_per_detection": .null],
  ])
  func refusesImpossibleOptions(changes: [String: FlexValue]) {
    #expect(throws: ModelError.self) {
      try detections(scores: .init(repeating: 0, count: 6), changes)
    }
  }
}
