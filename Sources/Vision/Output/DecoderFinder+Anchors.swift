import OcellusEngine
import OcellusImaging

// Networks whose boxes are measured from anchors.
extension DecoderFinder {
  /// Outputs of boxes and of scores that belong together.
  private struct Pairs {
    var boxes: [Int] = []
    var scores: [Int] = []
    var rows = 0
    var boxNumbers = 0
    var scoreColumns = 0
  }

  func anchorBoxes() throws(VisionError) -> [Finding] {
    guard let pairs = pairs() else { return [] }
    if pairs.boxNumbers > 4, pairs.scoreColumns == 1 { return mediaPipe(pairs) }
    guard pairs.boxNumbers == 4 else { return [] }
    return [try ssd(pairs)]
  }

  /// Pairs outputs [1, n, 4 or more] with outputs [1, n, classes]; the one with more rows first.
  private func pairs() -> Pairs? {
    let shapes = facts.outputs.map { $0.shape.dimensions }
    guard facts.outputs.count % 2 == 0, shapes.allSatisfy({ $0.count == 3 && $0[0] == 1 }) else {
      return nil
    }
    var pairs = Pairs()
    for rows in Set(shapes.map { $0[1] }).sorted(by: >) {
      let both = shapes.indices.filter { shapes[$0][1] == rows }
      guard both.count == 2, let boxes = boxes(among: both, shapes) else { return nil }
      let scores = both[0] == boxes ? both[1] : both[0]
      pairs.boxes.append(boxes)
      pairs.scores.append(scores)
      pairs.rows += rows
      (pairs.boxNumbers, pairs.scoreColumns) = (shapes[boxes][2], shapes[scores][2])
    }
    return pairs
  }

  /// Which of two outputs with as many rows holds the boxes.
  private func boxes(among pair: [Int], _ shapes: [[Int]]) -> Int? {
    let named = pair.filter { index in
      let name = (facts.signatureNames[index] ?? facts.outputs[index].name).lowercased()
      return ["box", "loc", "regress"].contains { name.contains($0) } && shapes[index][2] >= 4
    }
    if named.count == 1 { return named[0] }
    let wide = pair.filter { shapes[$0][2] >= 4 }
    if wide.count == 1 { return wide[0] }
    let notProbable = wide.filter { !facts.origins[$0].isProbability && shapes[$0][2] == 4 }
    return notProbable.count == 1 ? notProbable[0] : nil
  }

  // MARK: SSD

  private func ssd(_ pairs: Pairs) throws(VisionError) -> Finding {
    let (anchors, encoding, name, source) = try ssdAnchors(pairs)
    let isProbability = pairs.scores.allSatisfy { facts.origins[$0].isProbability }
    let hasBackground = hasBackground(columns: pairs.scoreColumns)
    let decoder = AnchorDecoder(
      boxOutputs: pairs.boxes, scoreOutputs: pairs.scores, anchors: anchors, encoding: encoding,
      activation: isProbability ? .none : .sigmoid, hasBackground: hasBackground, name: name,
      categoryCount: pairs.scoreColumns - (hasBackground ? 1 : 0))
    return (decoder, source)
  }

  /// SSD's first class is the background, unless there is one class only or the labels count all.
  private func hasBackground(columns: Int) -> Bool {
    if columns < 2 { return false }
    guard let labels, labels.count == columns else { return true }
    return labels.beginsWithBackground
  }

  private func ssdAnchors(
    _ pairs: Pairs
  ) throws(VisionError) -> ([Anchor], AnchorDecoder.Encoding, name: String, source: String) {
    let tensorFlow = AnchorDecoder.Encoding.logarithmic(center: 10, size: 5, rowsFirst: true)
    if case .anchors(let given)? = anchors {
      guard given.count == pairs.rows else {
        throw .mismatched("\(given.count) anchors were given; the model has \(pairs.rows) boxes")
      }
      return (given, tensorFlow, "SSD", "the anchors given")
    }
    let (width, height) = (inputSize.width, inputSize.height)
    let standard = Anchor.ssd(inputWidth: width, inputHeight: height)
    if standard.count == pairs.rows {
      return (standard, tensorFlow, "SSD", "the number of boxes")
    }
    let small = Anchor.ultraLight(inputWidth: width, inputHeight: height)
    if small.count == pairs.rows {
      return (
        small, .logarithmic(center: 10, size: 5, rowsFirst: false), "ultra light face detector",
        "the number of boxes"
      )
    }
    throw .mismatched(
      "the model has \(pairs.rows) boxes without post-processing; SSD has \(standard.count) anchors "
        + "at \(inputSize), so that the model's own have to be given (--anchors FILE)")
  }

  // MARK: MediaPipe

  private func mediaPipe(_ pairs: Pairs) -> [Finding] {
    let (width, height) = (inputSize.width, inputSize.height)
    let strides = [
      [8, 16, 16, 16], [16, 32, 32, 32], [8, 16, 32, 32, 32], [8, 16, 24, 24],
    ]
    var anchors = strides.lazy.map {
      Anchor.mediaPipe(inputWidth: width, inputHeight: height, strides: $0)
    }.first { $0.count == pairs.rows }
    if anchors == nil {
      let points = Anchor.points(inputWidth: width, inputHeight: height, stride: 4)
      if points.count == pairs.rows { anchors = points }
    }
    guard let anchors else { return [] }
    let isProbability = pairs.scores.allSatisfy { facts.origins[$0].isProbability }
    let decoder = AnchorDecoder(
      boxOutputs: pairs.boxes, scoreOutputs: pairs.scores, anchors: anchors,
      encoding: .pixels(width: Float(width), height: Float(height)),
      activation: isProbability ? .none : .sigmoid, hasBackground: false,
      name: "MediaPipe detector", suppression: .blend(overlap: 0.3), scoreThreshold: 0.5,
      categoryCount: 1)
    return [(decoder, "the outputs' shapes")]
  }
}
