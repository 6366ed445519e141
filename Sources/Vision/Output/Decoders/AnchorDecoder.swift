import OcellusImaging

/// Decodes boxes relative to anchors.
///
/// It is for SSD detectors without post-processing in the graph, and for MediaPipe's detectors of
/// faces, palms and poses.
public struct AnchorDecoder: DetectionDecoder {
  /// The encoding of a box relative to its anchor.
  public enum Encoding: Hashable, Sendable {
    /// SSD's: offsets in anchor sizes divided by `center`, logarithms of sizes divided by `size`.
    ///
    /// `rowsFirst` is for TensorFlow's order y, x, height, width.
    case logarithmic(center: Float, size: Float, rowsFirst: Bool)
    /// MediaPipe's: offsets and sizes in pixels of an input of this width and height.
    case pixels(width: Float, height: Float)
  }

  /// The outputs with encoded boxes; the rows of several outputs are concatenated.
  public var boxOutputs: [Int]
  /// The outputs with scores, in the same order.
  public var scoreOutputs: [Int]
  /// The anchors, one for each row of the outputs.
  public var anchors: [Anchor]
  /// The encoding of boxes.
  public var encoding: Encoding
  /// The activation of scores.
  public var activation: ScoreActivation
  /// Whether the first column of scores is the background, which is not counted as a class.
  public var hasBackground: Bool
  /// The name of the family.
  public var name: String
  /// The default suppression of overlapping boxes.
  public var suppression: Suppression
  /// The default score threshold.
  public var scoreThreshold: Float
  /// The number of classes, without the background.
  public var categoryCount: Int?
  /// The outputs with keypoints, in the same order; empty if boxes include them, or without any.
  var keypointOutputs: [Int] = []
  /// The outputs with box quality, in the same order; scores are the geometric mean with it.
  var qualityOutputs: [Int] = []
  /// The number of elements of a box, for outputs that are maps with several anchors for each cell.
  var boxNumbers: Int?
  /// The preprocessing of the family's pictures; `nil`: that of the encoding.
  var customConvention: PictureInput.Convention?

  /// Creates a decoder for these outputs.
  public init(
    boxOutputs: [Int], scoreOutputs: [Int], anchors: [Anchor], encoding: Encoding,
    activation: ScoreActivation, hasBackground: Bool, name: String = "SSD",
    suppression: Suppression = .perCategory(overlap: 0.5), scoreThreshold: Float = 0.3,
    categoryCount: Int? = nil
  ) {
    self.boxOutputs = boxOutputs
    self.scoreOutputs = scoreOutputs
    self.anchors = anchors
    self.encoding = encoding
    self.activation = activation
    self.hasBackground = hasBackground
    self.name = name
    self.suppression = suppression
    self.scoreThreshold = scoreThreshold
    self.categoryCount = categoryCount
  }

  /// A description of the family.
  public var summary: String { "\(name), \(anchors.count) anchors" }

  /// MediaPipe's networks get the picture letterboxed to a square, SSD's get it stretched.
  public var inputConvention: PictureInput.Convention {
    if let customConvention { return customConvention }
    if case .pixels = encoding {
      return .init(normalization: .signedUnit, fit: .letterbox(.center))
    }
    return .init(normalization: .signedUnit)
  }

  /// Returns the candidates that score at least `threshold`, in the order of the outputs.
  public func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    var found: [Candidate] = []
    var firstAnchor = 0
    for (level, (boxOutput, scoreOutput)) in zip(boxOutputs, scoreOutputs).enumerated() {
      let (boxes, scores) = (outputs[boxOutput], outputs[scoreOutput])
      let numbers = boxNumbers ?? boxes.shape.last ?? 0
      let rows = numbers >= 4 ? boxes.count / numbers : 0
      let columns = boxNumbers == nil || rows == 0 ? scores.shape.last ?? 0 : scores.count / rows
      guard numbers >= 4, columns >= 1 else {
        throw .mismatched("the outputs '\(boxes.name)' and '\(scores.name)' have no columns")
      }
      let count = min(rows, scores.count / columns)
      guard firstAnchor + count <= anchors.count else {
        throw .mismatched(
          "there are \(anchors.count) anchors for \(firstAnchor + count) rows of boxes")
      }
      let quality = qualityOutputs.isEmpty ? nil : outputs[qualityOutputs[level]]
      let points = keypointOutputs.isEmpty ? nil : outputs[keypointOutputs[level]]
      guard quality?.count ?? count >= count else {
        throw .mismatched("the output '\(quality?.name ?? "")' has fewer than \(count) numbers")
      }
      for row in 0..<count {
        var place = Place(
          index: firstAnchor + row, box: boxes.row(row, of: numbers),
          anchor: anchors[firstAnchor + row], points: nil)
        if let points { place.points = points.row(row, of: points.count / count) }
        if let quality { place.quality = min(max(quality[row], 0), 1) }
        add(scores.row(row, of: columns), of: place, threshold, to: &found)
      }
      firstAnchor += count
    }
    return found
  }

  /// The data of one anchor, apart from its scores.
  private struct Place {
    var index: Int
    var box: UnsafeBufferPointer<Float>
    var anchor: Anchor
    var points: UnsafeBufferPointer<Float>?
    var quality: Float?
  }

  /// Adds a candidate for every class of a row whose score reaches the threshold.
  private func add(
    _ scores: UnsafeBufferPointer<Float>, of place: Place, _ threshold: Float,
    to found: inout [Candidate]
  ) {
    let firstCategory = hasBackground ? 1 : 0
    // Comparing logits saves the sigmoid where there is no object.
    let rawThreshold = place.quality == nil ? logit(threshold) : -.infinity
    var (largest, total): (Float, Float) = (0, 1)
    if activation == .softmax {
      largest = scores.max() ?? 0
      total = scores.reduce(0) { $0 + exponential($1 - largest) }
    }
    for column in firstCategory..<max(scores.count, firstCategory) {
      let raw = scores[column]
      var score: Float
      switch activation {
      case .none: score = raw
      case .sigmoid:
        guard raw >= rawThreshold else { continue }
        score = sigmoid(raw)
      case .softmax: score = exponential(raw - largest) / total
      }
      if let quality = place.quality { score = (score * quality).squareRoot() }
      guard score >= threshold else { continue }
      found.append(
        Candidate(
          box: decode(place.box, place.anchor), category: column - firstCategory, score: score,
          keypoints: keypoints(place), origin: .init(index: place.index)))
    }
  }

  private func decode(_ box: UnsafeBufferPointer<Float>, _ anchor: Anchor) -> BoundingBox {
    let (x, y, width, height): (Float, Float, Float, Float)
    switch encoding {
    case .logarithmic(let center, let size, let rowsFirst):
      let order = rowsFirst ? (1, 0, 3, 2) : (0, 1, 2, 3)
      x = box[order.0] / center * anchor.width + anchor.x
      y = box[order.1] / center * anchor.height + anchor.y
      width = exponential(box[order.2] / size) * anchor.width
      height = exponential(box[order.3] / size) * anchor.height
    case .pixels(let inputWidth, let inputHeight):
      x = box[0] / inputWidth * anchor.width + anchor.x
      y = box[1] / inputHeight * anchor.height + anchor.y
      width = box[2] / inputWidth * anchor.width
      height = box[3] / inputHeight * anchor.height
    }
    return BoundingBox(
      x: Double(x - width / 2), y: Double(y - height / 2), width: Double(width),
      height: Double(height))
  }

  /// Returns the keypoints of a separate output, or those after the four numbers of the box.
  private func keypoints(_ place: Place) -> [PixelPoint] {
    let numbers = place.points ?? UnsafeBufferPointer(rebasing: place.box.dropFirst(4))
    return stride(from: 0, to: numbers.count - 1, by: 2).map { index in
      let (x, y) = point(numbers[index], numbers[index + 1], place.anchor)
      return PixelPoint(x: Double(x), y: Double(y))
    }
  }

  private func point(_ x: Float, _ y: Float, _ anchor: Anchor) -> (x: Float, y: Float) {
    switch encoding {
    case .logarithmic(let center, _, _):
      (x / center * anchor.width + anchor.x, y / center * anchor.height + anchor.y)
    case .pixels(let width, let height):
      (x / width * anchor.width + anchor.x, y / height * anchor.height + anchor.y)
    }
  }
}

extension OutputTensor {
  /// Returns a row of `count` numbers.
  fileprivate func row(_ index: Int, of count: Int) -> UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(rebasing: values[index * count..<(index + 1) * count])
  }
}
