/// A place and size from which a network measures a box, in fractions of its input.
public struct Anchor: Hashable, Sendable {
  /// The middle, from the left edge.
  public var x: Float
  /// The middle, from the upper edge.
  public var y: Float
  /// The width.
  public var width: Float
  /// The height.
  public var height: Float

  /// The anchor around (`x`, `y`).
  public init(x: Float, y: Float, width: Float, height: Float) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

extension Anchor {
  /// The anchors of TensorFlow's SSD: six layers, scales from 0.2 to 0.95, with the shapes 1, 2, 1/2,
  /// 3, 1/3 and one of a scale in between; the first layer has fewer (Liu et al., "SSD", 2016, as
  /// the Object Detection API configures it).
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

  /// From 0.2 to 0.95 in equal steps; behind the last layer's comes the whole picture.
  private static let ssdScales: [Float] = [0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1]

  private static func ssdShapes(_ layer: Int) -> [(scale: Float, ratio: Float)] {
    let (scale, next) = (ssdScales[layer], ssdScales[layer + 1])
    if layer == 0 { return [(0.1, 1), (scale, 2), (scale, 0.5)] }
    return [
      (scale, 1), (scale, 2), (scale, 0.5), (scale, 3), (scale, 1 / 3),
      ((scale * next).squareRoot(), 1),
    ]
  }

  /// The anchors of the "ultra light" face detectors: sizes in pixels on layers of strides 8 to 64.
  public static func ultraLight(inputWidth: Int, inputHeight: Int) -> [Anchor] {
    let sizesOfLayers: [[Float]] = [[10, 16, 24], [32, 48], [64, 96], [128, 192, 256]]
    var anchors: [Anchor] = []
    for (layer, sizes) in sizesOfLayers.enumerated() {
      anchors += grid(
        columns: inputWidth.halved(3 + layer), rows: inputHeight.halved(3 + layer),
        sizes: sizes.map { ($0 / Float(inputWidth), $0 / Float(inputHeight)) })
    }
    // The original limits them to the picture.
    return anchors.map { anchor in
      Anchor(
        x: min(anchor.x, 1), y: min(anchor.y, 1), width: min(anchor.width, 1),
        height: min(anchor.height, 1))
    }
  }

  /// The anchors of MediaPipe's detectors for faces, palms and poses: points without a size, two on
  /// every cell for each layer, where layers of one stride follow each other cell by cell.
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

  /// One point in the middle of every cell.
  public static func points(inputWidth: Int, inputHeight: Int, stride: Int) -> [Anchor] {
    grid(
      columns: (inputWidth + stride - 1) / stride, rows: (inputHeight + stride - 1) / stride,
      sizes: [(1, 1)])
  }

  /// Anchors of each size in the middle of every cell, row by row.
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
  /// Half of it, `times` times, rounding up: what strided convolutions with padding leave.
  fileprivate func halved(_ times: Int) -> Int { (self + (1 << times) - 1) >> times }
}
