import OcellusPlatform

/// Box encodings as detection models output them, each relative to an anchor.
///
/// The centre comes first, then the logarithms of the size. Anchors have the same form, with sizes
/// instead of logarithms.
struct BoxEncodings {
  struct Encoding: BitwiseCopyable {
    var y: Float
    var x: Float
    var height: Float
    var width: Float
  }

  /// The storage format of the numbers.
  struct Format: Sendable {
    var isFloat: Bool
    var scale: Float
    var zeroPoint: Float
    /// The number of elements per box, of which the first four encode it.
    var stride: Int

    init(type: ElementType, quantization: Quantization?, stride: Int) {
      isFloat = type == .float32
      scale = quantization?.scale ?? 0
      zeroPoint = Float(quantization?.zeroPoint ?? 0)
      self.stride = stride
    }
  }

  let numbers: UnsafeRawPointer
  let format: Format

  subscript(box: Int) -> Encoding {
    let first = box * format.stride
    return Encoding(
      y: number(first), x: number(first + 1), height: number(first + 2), width: number(first + 3))
  }

  @inline(__always)
  private func number(_ position: Int) -> Float {
    if format.isFloat { return numbers.load(fromByteOffset: position * 4, as: Float.self) }
    let value = numbers.load(fromByteOffset: position, as: UInt8.self)
    return (Float(value) - format.zeroPoint) * format.scale
  }
}

extension CornerBox {
  /// Decodes a box in double precision, rounded at the same points as in the official kernel.
  init(
    _ encoding: BoxEncodings.Encoding, anchor: BoxEncodings.Encoding, _ options: DetectionOptions
  ) {
    func center(_ value: Float, _ scale: Float, _ size: Float, _ origin: Float) -> Float {
      Float(Double(value) / Double(scale) * Double(size) + Double(origin))
    }
    func half(_ value: Float, _ scale: Float, _ size: Float) -> Float {
      Float(0.5 * exp(Double(value) / Double(scale)) * Double(size))
    }
    let y = center(encoding.y, options.yScale, anchor.height, anchor.y)
    let x = center(encoding.x, options.xScale, anchor.width, anchor.x)
    let halfHeight = half(encoding.height, options.heightScale, anchor.height)
    let halfWidth = half(encoding.width, options.widthScale, anchor.width)
    self.init(
      yMin: y - halfHeight, xMin: x - halfWidth, yMax: y + halfHeight, xMax: x + halfWidth)
  }
}
