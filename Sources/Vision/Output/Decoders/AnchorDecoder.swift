import OcellusImaging

/// Reads boxes that are measured from anchors: SSD detectors without post-processing in the graph,
/// and MediaPipe's detectors for faces, palms and poses.
public struct AnchorDecoder: DetectionDecoder {
  /// How the four numbers of a box are measured from its anchor.
  public enum Encoding: Hashable, Sendable {
    /// SSD's: distances in units of the anchor's size divided by `center`, and logarithms of sizes
    /// divided by `size`; `rowsFirst` for TensorFlow's order y, x, height, width.
    case logarithmic(center: Float, size: Float, rowsFirst: Bool)
    /// MediaPipe's: distances and sizes in pixels of an input of this width and height.
    case pixels(width: Float, height: Float)
  }

  /// The outputs with box numbers: one, or several that follow each other.
  public var boxOutputs: [Int]
  /// The outputs with scores, in the same order.
  public var scoreOutputs: [Int]
  /// The anchors, one for each row of the outputs.
  public var anchors: [Anchor]
  /// How boxes are measured.
  public var encoding: Encoding
  /// What is done to scores.
  public var activation: ScoreActivation
  /// Whether the first column of scores is the background's, and not counted as a class.
  public var hasBackground: Bool
  /// What the family is called.
  public var name: String
  /// What is done about boxes that overlap.
  public var suppression: Suppression
  /// The score below which candidates are dropped.
  public var scoreThreshold: Float
  /// The number of classes, without the background.
  public var categoryCount: Int?
  /// The outputs with points, in the same order; empty where points stand behind the boxes, or nowhere.
  var keypointOutputs: [Int] = []
  /// The outputs that say how good boxes are, in the same order: scores are the geometric mean of both.
  var qualityOutputs: [Int] = []
  /// How many numbers a box has, where outputs are maps with several anchors for each cell.
  var boxNumbers: Int?
  /// How the family's networks were shown pictures; `nil`: as the encoding has it.
  var customConvention: PictureInput.Convention?

  /// A decoder for these outputs.
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

  /// The family in words.
  public var summary: String { "\(name), \(anchors.count) anchors" }

  /// MediaPipe's networks see the whole picture in a square; SSD's see it stretched.
  public var inputConvention: PictureInput.Convention {
    if let customConvention { return customConvention }
    if case .pixels = encoding {
      return .init(normalization: .signedUnit, fit: .letterbox(.center))
    }
    return .init(normalization: .signedUnit)
  }

  /// Finds what scores at least `threshold`, in the order of the outputs.
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

  /// What belongs to one anchor besides its scores.
  private struct Place {
    var index: Int
    var box: UnsafeBufferPointer<Float>
    var anchor: Anchor
    var points: UnsafeBufferPointer<Float>?
    var quality: Float?
  }

  /// Adds a candidate for every class of a row that scores enough.
  private func add(
    _ scores: UnsafeBufferPointer<Float>, of place: Place, _ threshold: Float,
    to found: inout [Candidate]
  ) {
    let firstCategory = hasBackground ? 1 : 0
    // Compared before they are activated, scores cost nothing where there is no object.
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

  /// The points of an output of their own, or those behind the four numbers of a box.
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
  /// A row of this many numbers.
  fileprivate func row(_ index: Int, of count: Int) -> UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(rebasing: values[index * count..<(index + 1) * count])
  }
}
