import OcellusModelFile

/// TFLite_Detection_PostProcess: decodes the boxes of an SSD model from its anchors, and selects
/// the best that do not overlap much.
package struct DetectionPostProcess: Operator {
  package static let definition = OperatorDefinition(
    "TFLite_Detection_PostProcess", types: [.float32, .uint8], resultType: .always(.float32),
    make: { node throws(ModelError) in try Self(node) })

  let options: DetectionOptions

  /// The number of classes without the background.
  package var categoryCount: Int { options.classCount }

  /// The greatest number of boxes in the results.
  package var maximumResults: Int { options.maxDetections * options.maxClassesPerDetection }

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(3, outputs: 4)
    let (encodings, scores) = (try node.input(0), try node.input(1))
    try node.require(scores, .float32, .uint8)
    try node.require(try node.input(2), encodings.type)
    for tensor in try [encodings, scores, node.input(2)] where tensor.type == .uint8 {
      _ = try node.perTensorQuantization(of: tensor)
    }
    options = try DetectionOptions(node)
  }

  // MARK: Shapes

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (encodings, scores, anchors) = (context.shape(0), context.shape(1), context.shape(2))
    try context.require(
      encodings.rank == 3 && encodings[0] == 1 && encodings[2] >= 4,
      "box encodings must have the shape [1, boxes, 4 or more]")
    try context.require(
      scores.rank == 3 && scores[0] == 1 && scores[1] == encodings[1],
      "scores must have the shape [1, boxes, classes]")
    try context.require(
      anchors.rank == 2 && anchors.elementCount >= 4 * encodings[1],
      "there must be an anchor of four numbers for each box")
    // The first column may be the background.
    try context.require(
      (0...1).contains(scores[2] - options.classCount),
      "\(scores[2]) columns of scores do not fit \(options.classCount) classes")
    let rows = options.maxDetections * options.maxClassesPerDetection
    return [[1, rows, 4], [1, rows], [1, rows], [1]]
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    // Every box may be compared with every selected box, at about ten operations each.
    let boxes = context.shape(0)[1]
    let passes = options.usesRegularSuppression ? options.classCount : 1
    return saturatingProduct(10 * passes, boxes, max(min(boxes, options.maxDetections), 1))
  }

  // MARK: Running

  package func run(_ context: RunContext) throws(ModelError) {
    let scores = context.input(1)
    for position in 0..<4 { context.output(position).fill(withInteger: 0) }
    try context.withScratch(CornerBox.self, count: context.input(0).shape[1]) {
      boxes throws(ModelError) in
      try decode(context, into: boxes)
      guard scores.type == .uint8 else { return try detect(context, boxes, scores.values()) }
      try context.withScratch(Float.self, count: scores.elementCount) {
        numbers throws(ModelError) in
        dequantize(scores, into: numbers)
        try context.checkpoint()
        try detect(context, boxes, numbers)
      }
    }
  }

  private func detect(
    _ context: RunContext, _ boxes: UnsafeMutableBufferPointer<CornerBox>,
    _ scores: UnsafeMutableBufferPointer<Float>
  ) throws(ModelError) {
    let selection = DetectionSelection(
      options: options, boxes: boxes, scores: scores, columnCount: context.input(1).shape[2])
    // Includes the lists of selected boxes and of detections, which double while they grow and
    // merge.
    let detectionCount = min(
      context.output(1).elementCount, saturatingProduct(boxes.count, options.classCount))
    let byteCount = boxes.count * 24 + saturatingProduct(detectionCount, 160)
    let detections = try context.charging(byteCount: byteCount) { () throws(ModelError) in
      options.usesRegularSuppression
        ? try selection.bestOfEachClass(context) : try selection.bestOfAllClasses(context)
    }
    let detectedBoxes = context.output(0).values(CornerBox.self)
    let categories = context.output(1).values(Float.self)
    let detectedScores = context.output(2).values(Float.self)
    // The detections of a stopped search are arbitrary.
    try context.checkpoint()
    for detection in detections {
      detectedBoxes[detection.row] = boxes[detection.anchor]
      categories[detection.row] = Float(detection.category)
      detectedScores[detection.row] = detection.score
    }
    // Several rows for one box count once.
    let perBox = options.usesRegularSuppression ? 1 : selection.classesPerDetection
    context.output(3).values(Float.self)[0] = Float(detections.count / perBox)
  }

  // MARK: Boxes

  private func decode(
    _ context: RunContext, into boxes: UnsafeMutableBufferPointer<CornerBox>
  ) throws(ModelError) {
    guard let encodings = context.input(0).boxEncodings(stride: context.input(0).shape[2]),
      let anchors = context.input(2).boxEncodings(stride: 4)
    else { return }
    for chunk in context.chunks(of: boxes.count, workOfEach: 32) {
      for index in chunk {
        let box = CornerBox(encodings[index], anchor: anchors[index], options)
        try context.require(
          !(box.yMin > box.yMax || box.xMin > box.xMax), "box \(index) is turned inside out")
        boxes[index] = box
      }
    }
  }

  private func dequantize(_ scores: TensorView, into reals: UnsafeMutableBufferPointer<Float>) {
    let values = scores.values(UInt8.self)
    for chunk in scores.chunks(of: values.count, workOfEach: 4) {
      for index in chunk { reals[index] = Self.score(values[index], scores.quantization) }
    }
  }

  static func score(_ value: UInt8, _ quantization: Quantization?) -> Float {
    let zeroPoint = Double(quantization?.zeroPoint ?? 0)
    return Float(Double(quantization?.scale ?? 0) * (Double(value) - zeroPoint))
  }
}

extension TensorView {
  fileprivate func boxEncodings(stride: Int) -> BoxEncodings? {
    bytes.baseAddress.map {
      BoxEncodings(
        numbers: $0, format: .init(type: type, quantization: quantization, stride: stride))
    }
  }
}
