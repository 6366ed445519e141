/// A lookup table from the 256 values of each channel to elements of the tensor.
///
/// The table defines the conversion for every element type and scale: the mean is subtracted, the
/// difference is divided by the deviation, and the quotient is encoded as QUANTIZE encodes it.
struct ElementTable {
  /// A faster way than a lookup to make the elements of a row.
  enum Shortcut {
    case none
    /// The elements are equal to the bytes.
    case identity
    /// The elements are the bytes with the sign bit toggled: `value - 128`.
    case signToggle
  }

  let elementBytes: Int
  let shortcut: Shortcut
  /// 256 elements for each channel of the tensor, channel after channel.
  let bytes: [UInt8]

  init(_ tensor: PictureTensor) throws(ImageError) {
    let channels = tensor.channels.count
    let means = try Self.values("mean", tensor.normalization.mean, channels)
    let deviations = try Self.values("deviation", tensor.normalization.deviation, channels)
    guard deviations.allSatisfy({ $0 != 0 }) else {
      throw ImageError(.mismatched, "a deviation of 0: nothing can be divided by it")
    }
    try Self.checkScale(of: tensor.element)
    var bytes: [UInt8] = []
    for channel in 0..<channels {
      for value in 0..<256 {
        let real = (Float(value) - means[channel]) / deviations[channel]
        Self.append(real, as: tensor.element, to: &bytes)
      }
    }
    self.bytes = bytes
    elementBytes = tensor.element.byteCount
    shortcut = Self.shortcut(for: bytes, elementBytes: tensor.element.byteCount)
  }

  private static func values(
    _ name: String, _ values: [Float], _ channels: Int
  ) throws(ImageError) -> [Float] {
    guard values.count == 1 || values.count == channels, values.allSatisfy(\.isFinite) else {
      throw ImageError(
        .mismatched,
        "the \(name) \(values) is not one finite number for each of \(channels) channels"
      )
    }
    return values.count == 1 ? Array(repeating: values[0], count: channels) : values
  }

  private static func checkScale(of element: PictureTensor.Element) throws(ImageError) {
    switch element {
    case .float32: return
    case .uint8(let scale, let zeroPoint), .int8(let scale, let zeroPoint),
      .int16(let scale, let zeroPoint):
      guard scale > 0, scale.isFinite, zeroPoint.magnitude <= 1 << 16 else {
        throw ImageError(
          .mismatched, "elements with scale \(scale) and zero point \(zeroPoint) are impossible")
      }
    }
  }

  private static func append(
    _ real: Float, as element: PictureTensor.Element, to bytes: inout [UInt8]
  ) {
    func append(_ value: some BitwiseCopyable) {
      withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
    }
    switch element {
    case .float32: append(real)
    case .uint8(let scale, let zeroPoint):
      append(UInt8(clamping: quantized(real, scale, zeroPoint)))
    case .int8(let scale, let zeroPoint):
      append(Int8(clamping: quantized(real, scale, zeroPoint)))
    case .int16(let scale, let zeroPoint):
      append(Int16(clamping: quantized(real, scale, zeroPoint)))
    }
  }

  /// Returns the nearest quantized value; halves are rounded away from zero, as QUANTIZE does it.
  private static func quantized(_ real: Float, _ scale: Float, _ zeroPoint: Int) -> Int {
    let steps = (real / scale).rounded(.toNearestOrAwayFromZero)
    return Int(max(min(steps, 1e9), -1e9)) + zeroPoint
  }

  private static func shortcut(for bytes: [UInt8], elementBytes: Int) -> Shortcut {
    guard elementBytes == 1 else { return .none }
    let indices = bytes.indices
    if indices.allSatisfy({ bytes[$0] == UInt8(truncatingIfNeeded: $0) }) { return .identity }
    if indices.allSatisfy({ bytes[$0] == UInt8(truncatingIfNeeded: $0) ^ 0x80 }) {
      return .signToggle
    }
    return .none
  }
}
