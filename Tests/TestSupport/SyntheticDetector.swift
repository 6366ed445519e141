package import OcellusEngine
package import OcellusModelFile

/// A detector that finds the same two objects in every picture.
package enum SyntheticDetector {
  /// Two anchors in opposite corners, each a quarter of the picture.
  private static let anchors: [Float] = [0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 0.5, 0.5]

  /// Returns the model, with its outputs (boxes, classes, scores, count) in the given order.
  package static func writer(order: [Int] = [0, 1, 2, 3]) -> ModelWriter {
    let options: [String: FlexValue] = [
      "max_detections": .int(2), "max_classes_per_detection": .int(1), "num_classes": .int(3),
      "nms_score_threshold": .float(0.2), "nms_iou_threshold": .float(0.5), "y_scale": .float(10),
      "x_scale": .float(10), "h_scale": .float(5), "w_scale": .float(5),
    ]
    let scores: [Float] = [0, 0.25, 0.75, 0, 0, 0.5, 0, 0]
    return ModelWriter(subgraphs: [
      .init(
        tensors: [
          .init("picture", .uint8, [1, 8, 8, 3]),
          .init(
            "encodings", .float32, [1, 2, 4],
            constant: .init(bytesOf: [Float](repeating: 0, count: 8))),
          .init("scores", .float32, [1, 2, 4], constant: .init(bytesOf: scores)),
          .init("anchors", .float32, [2, 4], constant: .init(bytesOf: anchors)),
          .init("out:0", .float32, []), .init("out:1", .float32, []),
          .init("out:2", .float32, []), .init("out:3", .float32, []),
        ],
        inputs: [0], outputs: order.map { 4 + $0 },
        operators: [
          .init(
            OperatorCodeRecord(
              builtinCode: BuiltinOperator.custom, customCode: "TFLite_Detection_PostProcess"),
            inputs: [1, 2, 3], outputs: [4, 5, 6, 7],
            customOptions: FlexValue.map(options).encoded)
        ])
    ])
  }

  package static func model(order: [Int] = [0, 1, 2, 3]) throws -> Model {
    try Model(bytes: writer(order: order).bytes())
  }

  /// All orders of four outputs.
  package static let orders: [[Int]] = permutations(of: [0, 1, 2, 3])

  private static func permutations(of items: [Int]) -> [[Int]] {
    guard items.count > 1 else { return [items] }
    return items.flatMap { first in
      permutations(of: items.filter { $0 != first }).map { [first] + $0 }
    }
  }
}
