import OcellusImaging

/// The anchors of detectors with a feature pyramid: several sizes and shapes for each cell of a stride.
struct AnchorPyramid {
  /// The order of the anchors of a cell.
  enum Order {
    /// All shapes of one size, then those of the next size.
    case sizesFirst
    /// All sizes of one shape, then those of the next shape.
    case shapesFirst
  }

  /// The strides are powers of two with these exponents.
  var levels: ClosedRange<Int>
  /// The smallest anchor of a level, in strides.
  var scale: Float
  /// The number of sizes between one level and the next.
  var sizesPerOctave: Int
  /// The ratios of width to height.
  var ratios: [Float]
  var order: Order
  /// Whether cells that extend beyond the input are centred on their corner, as TensorFlow has it.
  var shiftsOddLevels = false
  /// The divisors of encoded centres and sizes.
  var encoding: AnchorDecoder.Encoding

  /// The pyramids of TensorFlow's Object Detection API, and of MediaPipe's Model Maker.
  static let known = [
    AnchorPyramid(
      levels: 3...7, scale: 4, sizesPerOctave: 2, ratios: [1, 2, 0.5], order: .shapesFirst,
      shiftsOddLevels: true, encoding: .logarithmic(center: 10, size: 5, rowsFirst: true)),
    mediaPipe(levels: 3...6), mediaPipe(levels: 3...7),
  ]

  private static func mediaPipe(levels: ClosedRange<Int>) -> AnchorPyramid {
    AnchorPyramid(
      levels: levels, scale: 3, sizesPerOctave: 3, ratios: [0.5, 1, 2], order: .sizesFirst,
      encoding: .logarithmic(center: 1, size: 1, rowsFirst: true))
  }

  /// Returns the number of anchors without listing them: an untrusted model's input may be huge.
  func count(in size: PixelSize) -> Int {
    sizesPerOctave * ratios.count * GridCell.count(in: size, strides: levels.map { 1 << $0 })
  }

  /// Returns the anchors, level by level and cell by cell.
  func anchors(in size: PixelSize) -> [Anchor] {
    let (width, height) = (Float(size.width), Float(size.height))
    return levels.flatMap { level -> [Anchor] in
      let stride = 1 << level
      let shapes = shapes(ofStride: Float(stride))
      func offset(_ extent: Int) -> Float {
        shiftsOddLevels && !extent.isMultiple(of: stride) ? 0 : 0.5
      }
      return GridCell.all(in: size, strides: [stride]).flatMap { cell in
        let x = (Float(cell.column) + offset(size.width)) * Float(stride) / width
        let y = (Float(cell.row) + offset(size.height)) * Float(stride) / height
        return shapes.map {
          Anchor(x: x, y: y, width: $0.width / width, height: $0.height / height)
        }
      }
    }
  }

  private func shapes(ofStride stride: Float) -> [(width: Float, height: Float)] {
    let sizes = (0..<sizesPerOctave).map {
      scale * stride * exponential(Float($0) / Float(sizesPerOctave) * logarithm(2))
    }
    func shape(_ size: Float, _ ratio: Float) -> (width: Float, height: Float) {
      (size * ratio.squareRoot(), size / ratio.squareRoot())
    }
    return order == .sizesFirst
      ? sizes.flatMap { size in ratios.map { shape(size, $0) } }
      : ratios.flatMap { ratio in sizes.map { shape($0, ratio) } }
  }
}
