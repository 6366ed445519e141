import OcellusImaging

/// MediaPipe's detectors of faces, palms and poses: one class, and keypoints after each box.
enum MediaPipeFamily: DetectorFamily {
  /// The strides of the layers of the known networks.
  private static let strides = [
    [8, 16, 16, 16], [16, 32, 32, 32], [8, 16, 32, 32, 32], [8, 16, 24, 24],
  ]

  /// The number of elements of a palm's box with its seven keypoints.
  private static let palmNumbers = 18
  /// The input width of the palm detector whose pixels range from 0 to 1.
  ///
  /// The other detectors, including older palm detectors with larger inputs, take values from −1 to
  /// 1.
  private static let unitPalmWidth = 192

  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    guard let outputs = AnchoredOutputs(facts), outputs.boxNumbers > 4, outputs.scoreColumns == 1
    else { return nil }
    guard let anchors = anchors(rows: outputs.rows, facts.inputSize) else {
      return .resembles(
        "they resemble those of MediaPipe's detectors, but \(outputs.rows) boxes are not as many "
          + "as these have at \(facts.inputSize): give an AnchorDecoder (decoder in the options)")
    }
    var decoder = AnchorDecoder(
      boxOutputs: outputs.boxes, scoreOutputs: outputs.scores, anchors: anchors,
      encoding: .pixels(width: Float(facts.inputSize.width), height: Float(facts.inputSize.height)),
      activation: facts.activation(ofScores: outputs.scores), hasBackground: false,
      name: "MediaPipe detector", suppression: .blend(overlap: 0.3), scoreThreshold: 0.5,
      categoryCount: 1)
    if outputs.boxNumbers == palmNumbers, facts.inputSize.width == unitPalmWidth {
      decoder.customConvention = .init(normalization: .unit, fit: .letterbox(.center))
    }
    return .likely(decoder, source: "the outputs' shapes")
  }

  private static func anchors(rows: Int, _ size: PixelSize) -> [Anchor]? {
    let layered = strides.lazy.map {
      Anchor.mediaPipe(inputWidth: size.width, inputHeight: size.height, strides: $0)
    }
    if let anchors = layered.first(where: { $0.count == rows }) { return anchors }
    let points = Anchor.points(inputWidth: size.width, inputHeight: size.height, stride: 4)
    return points.count == rows ? points : nil
  }
}
