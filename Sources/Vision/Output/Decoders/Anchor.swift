/// A default box from which a network's box offsets are measured, in fractions of its input.
public struct Anchor: Hashable, Sendable {
  /// The centre's distance from the left edge.
  public var x: Float
  /// The centre's distance from the upper edge.
  public var y: Float
  /// The width.
  public var width: Float
  /// The height.
  public var height: Float

  /// Creates an anchor with its centre at (`x`, `y`).
  public init(x: Float, y: Float, width: Float, height: Float) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

extension Anchor {
  /// Returns the anchors of TensorFlow's SSD, as the Object Detection API configures it.
  ///
  /// There are six layers with scales from 0.2 to 0.95. Each has the aspect ratios 1, 2, 1/2, 3 and
  /// 1/3, and a square of a scale between its own and the next; the first layer has fewer.
  public static func ssd(inputWidth: Int, inputHeight: Int) -> [Anchor] {
    var anchors: [Anchor] = []
    var (columns, rows) = (inputWidth.halved(4), inputHeight.halved(4))
    for layer in 0..<ssdScales.count - 1 {
      let sizes = ssdShapes(layer).map { shape in
        let root = shape.ratio.squareRoot()
        return (width: shape.scale * root, height: shape.scale / root)
      }
      anchors += grid(columns: columns, rows: rows, sizes: sizes)
      (columns, rows) = (columns.halved(1), rows.halved(1))
    }
    return anchors
  }

  /// Scales from 0.2 to 0.95 in equal steps, and the whole picture after the last layer's.
  private static let ssdScales: [Float] = [0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1]

  private static func ssdShapes(_ layer: Int) -> [(scale: Float, ratio: Float)] {
    let (scale, next) = (ssdScales[layer], ssdScales[layer + 1])
    if layer == 0 { return [(0.1, 1), (scale, 2), (scale, 0.5)] }
    return [
      (scale, 1), (scale, 2), (scale, 0.5), (scale, 3), (scale, 1 / 3),
      ((scale * next).squareRoot(), 1),
    ]
  }

  /// The sizes of faces in pixels, for the layers of strides 8 to 64.
  private static let faceSizes: [[Float]] = [[10, 16, 24], [32, 48], [64, 96], [128, 192, 256]]

  /// Returns the anchors of the "ultra light" face detectors.
  public static func ultraLight(inputWidth: Int, inputHeight: Int) -> [Anchor] {
    var anchors: [Anchor] = []
    for (layer, sizes) in faceSizes.enumerated() {
      anchors += grid(
        columns: inputWidth.halved(3 + layer), rows: inputHeight.halved(3 + layer),
        sizes: sizes.map { ($0 / Float(inputWidth), $0 / Float(inputHeight)) })
    }
    // The original clips them to the picture.
    return anchors.map { anchor in
      Anchor(
        x: min(anchor.x, 1), y: min(anchor.y, 1), width: min(anchor.width, 1),
        height: min(anchor.height, 1))
    }
  }

  /// Returns the anchors of YuNet's first version.
  ///
  /// Layer sizes are rounded down, but the centres of cells are multiples of the strides.
  static func yuNet(inputWidth: Int, inputHeight: Int) -> [Anchor] {
    var anchors: [Anchor] = []
    var (columns, rows) = ((inputWidth + 1) / 2 / 2, (inputHeight + 1) / 2 / 2)
    for (layer, sizes) in faceSizes.enumerated() {
      (columns, rows) = (columns / 2, rows / 2)
      anchors += stepped(
        columns: columns, rows: rows, step: 8 << layer, sizes: sizes, inputWidth, inputHeight)
    }
    return anchors
  }

  /// Returns the anchors of AIZOO's detector of faces with and without masks.
  ///
  /// Each cell of strides 8 to 128 has a small and a large square, and two portrait shapes.
  static func maskedFaces(inputWidth: Int, inputHeight: Int) -> [Anchor] {
    let squares: [(small: Float, large: Float)] = [
      (0.04, 0.056), (0.08, 0.11), (0.16, 0.22), (0.32, 0.45), (0.64, 0.72),
    ]
    return squares.enumerated().flatMap { layer, square in
      let upright = ([0.62, 0.42] as [Float]).map { ratio in
        (width: square.small * ratio.squareRoot(), height: square.small / ratio.squareRoot())
      }
      return grid(
        columns: inputWidth.halved(3 + layer), rows: inputHeight.halved(3 + layer),
        sizes: [(square.small, square.small), (square.large, square.large)] + upright)
    }
  }

  /// Returns RetinaFace's anchors: two squares for every cell of strides 8, 16 and 32.
  static func retinaFace(inputWidth: Int, inputHeight: Int) -> [Anchor] {
    ([[16, 32], [64, 128], [256, 512]] as [[Float]]).enumerated().flatMap { layer, sizes in
      stepped(
        columns: inputWidth.divided(by: 8 << layer), rows: inputHeight.divided(by: 8 << layer),
        step: 8 << layer, sizes: sizes, inputWidth, inputHeight)
    }
  }

  /// Returns EfficientDet's anchors: nine for every cell of strides 8 to 128.
  ///
  /// The smallest size is `scale` times the stride.
  static func efficientDet(inputWidth: Int, inputHeight: Int, scale: Float) -> [Anchor] {
    (3...7).flatMap { level in
      let octaves: [Float] = [1, 1.259_921, 1.587_401]
      let shapes: [(Float, Float)] = [(1, 1), (1.4, 0.7), (0.7, 1.4)]
      let step = 1 << level
      let sizes = octaves.flatMap { octave in
        shapes.map { shape in
          (
            width: octave * scale * Float(step) * shape.0 / Float(inputWidth),
            height: octave * scale * Float(step) * shape.1 / Float(inputHeight)
          )
        }
      }
      return grid(
        columns: inputWidth.divided(by: step), rows: inputHeight.divided(by: step), sizes: sizes)
    }
  }

  /// Returns squares at the centres of cells that are `step` pixels apart.
  private static func stepped(
    columns: Int, rows: Int, step: Int, sizes: [Float], _ inputWidth: Int, _ inputHeight: Int
  ) -> [Anchor] {
    (0..<rows * columns).flatMap { cell in
      sizes.map { size in
        Anchor(
          x: (Float(cell % columns) + 0.5) * Float(step) / Float(inputWidth),
          y: (Float(cell / columns) + 0.5) * Float(step) / Float(inputHeight),
          width: size / Float(inputWidth), height: size / Float(inputHeight))
      }
    }
  }

  /// Returns the anchors of MediaPipe's detectors for faces, palms and poses.
  ///
  /// They are points without a size, two for every cell in each layer. Consecutive layers of one
  /// stride are interleaved cell by cell.
  public static func mediaPipe(inputWidth: Int, inputHeight: Int, strides: [Int]) -> [Anchor] {
    var anchors: [Anchor] = []
    var layer = 0
    while layer < strides.count {
      let stride = strides[layer]
      let sameStride = strides[layer...].prefix { $0 == stride }.count
      anchors += grid(
        columns: (inputWidth + stride - 1) / stride, rows: (inputHeight + stride - 1) / stride,
        sizes: Array(repeating: (1, 1), count: 2 * sameStride))
      layer += sameStride
    }
    return anchors
  }

  /// Returns one point at the centre of every cell.
  public static func points(inputWidth: Int, inputHeight: Int, stride: Int) -> [Anchor] {
    grid(
      columns: (inputWidth + stride - 1) / stride, rows: (inputHeight + stride - 1) / stride,
      sizes: [(1, 1)])
  }

  /// Returns anchors of each size at the centre of every cell, row by row.
  private static func grid(
    columns: Int, rows: Int, sizes: [(width: Float, height: Float)]
  ) -> [Anchor] {
    var anchors: [Anchor] = []
    anchors.reserveCapacity(columns * rows * sizes.count)
    for row in 0..<rows {
      for column in 0..<columns {
        let (x, y) = ((Float(column) + 0.5) / Float(columns), (Float(row) + 0.5) / Float(rows))
        anchors += sizes.map { Anchor(x: x, y: y, width: $0.width, height: $0.height) }
      }
    }
    return anchors
  }
}

extension Int {
  /// Returns the quotient, rounded up.
  fileprivate func divided(by divisor: Int) -> Int { (self + divisor - 1) / divisor }

  /// Returns the number halved `times` times, rounding up, like strided convolutions.
  fileprivate func halved(_ times: Int) -> Int { (self + (1 << times) - 1) >> times }
}
