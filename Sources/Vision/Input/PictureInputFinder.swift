import OcellusEngine
public import OcellusImaging
package import OcellusModelFile

/// Determines how a picture must be converted to a model's input.
struct PictureInputFinder {
  let facts: ModelFacts
  let options: PictureInput.Options

  /// The input that takes pictures, with the size, layout and channels that its shape shows.
  struct Place {
    var index: Int
    var size: PixelSize
    var layout: PictureTensor.Layout
    var channelCount: Int

    /// Whether pictures have such a size.
    ///
    /// Three channels are colours unless the sides are tiny or very unequal; one channel may also
    /// be audio or sensor data, so the sides must be longer.
    var isPlausible: Bool {
      let (short, long) = (min(size.width, size.height), max(size.width, size.height))
      // Both sides are 1 if the model takes any size.
      return long == 1 || short >= (channelCount == 3 ? 4 : 16) && long <= 8 * short
    }
  }

  /// Finds the input that takes pictures: the only one with a picture's shape.
  func place(_ explanation: inout Explanation) throws(VisionError) -> Place {
    let shaped = facts.inputs.indices.compactMap(place)
    let places = options.size == nil ? shaped.filter(\.isPlausible) : shaped
    if places.isEmpty, let odd = shaped.first {
      throw .mismatched(
        "the input '\(facts.inputs[odd.index].name)' \(facts.inputs[odd.index].shape) would be a "
          + "picture of \(odd.size), and is more like a spectrogram or a list; if the model takes "
          + "pictures, say so by their size (size in the options, --input-size WxH)")
    }
    guard let place = places.first else {
      let shapes = facts.inputs.map { "'\($0.name)' \($0.shape)" }.joined(separator: ", ")
      throw .mismatched(
        "no input takes a picture, of 1 or 3 channels: the inputs are \(shapes); `run` gives a model any "
          + "numbers")
    }
    guard places.count == 1 else {
      throw .ambiguous(
        "\(places.count) inputs could take the picture: "
          + places.map { "'\(facts.inputs[$0.index].name)'" }.joined(separator: ", "))
    }
    guard place.size.width > 1 || place.size.height > 1 else {
      throw .ambiguous(
        "the model takes pictures of any size; say which (size in the options, --input-size WxH)")
    }
    explanation.add(
      "input", "'\(facts.inputs[place.index].name)' \(facts.inputs[place.index].type.name)",
      from: "the model's inputs")
    explanation.add(
      "input size", "\(place.size), \(place.layout.rawValue)",
      from: options.size == nil ? "the input's shape" : "options")
    return place
  }

  private func place(_ index: Int) -> Place? {
    let input = facts.inputs[index]
    guard [.uint8, .int8, .int16, .float32].contains(input.type) else { return nil }
    let extents = input.shape.dimensions
    guard extents.count == 4 && extents[0] == 1 || extents.count == 3 else { return nil }
    let (a, b, c) = (
      extents[extents.count - 3], extents[extents.count - 2], extents[extents.count - 1]
    )
    if c == 3 || c == 1 {
      return Place(
        index: index, size: PixelSize(width: b, height: a), layout: .nhwc, channelCount: c)
    }
    if a == 3 || a == 1 {
      return Place(
        index: index, size: PixelSize(width: c, height: b), layout: .nchw, channelCount: a)
    }
    return nil
  }

  /// Returns the complete conversion, and adds the decisions with their sources to the explanation.
  func input(
    at place: Place, convention: PictureInput.Convention, _ explanation: inout Explanation
  ) throws(VisionError) -> PictureInput {
    let channels = channels(place, convention, &explanation)
    let element = element(facts.inputs[place.index])
    let normalization = try normalization(place, element, convention, &explanation)
    guard normalization.isUsable(channels: place.channelCount) else {
      throw .mismatched(
        "the normalisation \(normalization.text) is not one for \(place.channelCount) channels")
    }
    // A range for floats would leave only a few of the 256 values of bytes.
    guard element.byteCount > 1 || normalization.levels >= 16 else {
      throw .mismatched(
        "the input '\(facts.inputs[place.index].name)' takes bytes, and \(normalization.text) would leave "
          + "\(Int(normalization.levels) + 1) of their 256 values; leave the range to the model (--values)"
      )
    }
    let resampler = options.resampler ?? .pillowBilinear
    explanation.add(
      "resampler", resampler.rawValue, from: options.resampler == nil ? "the usual" : "options")
    let fit = options.fit ?? convention.fit
    explanation.add("fit", fit.text, from: options.fit == nil ? convention.source : "options")
    return PictureInput(
      index: place.index,
      tensor: PictureTensor(
        size: place.size, element: element, channels: channels, layout: place.layout,
        normalization: normalization),
      resampler: resampler, fit: fit, padding: convention.padding)
  }

  private func channels(
    _ place: Place, _ convention: PictureInput.Convention, _ explanation: inout Explanation
  ) -> PictureTensor.Channels {
    if place.channelCount == 1 {
      explanation.add("colours", "gray", from: "the input's shape")
      return .gray
    }
    let channels = options.channels ?? convention.channels
    explanation.add(
      "colours", channels.rawValue, from: options.channels == nil ? convention.source : "options")
    return channels
  }

  private func element(_ input: TensorDescription) -> PictureTensor.Element {
    switch input.type {
    case .uint8: .uint8()
    case .int8: .int8()
    case .int16:
      .int16(
        scale: input.quantization?.scale ?? 1, zeroPoint: input.quantization?.zeroPoint ?? 0)
    default: .float32
    }
  }

  /// Chooses the value range of the input.
  ///
  /// Quantized models take the bytes of the picture unchanged, as in Task Library and MediaPipe,
  /// if their scale is one of those that pictures usually have.
  private func normalization(
    _ place: Place, _ element: PictureTensor.Element, _ convention: PictureInput.Convention,
    _ explanation: inout Explanation
  ) throws(VisionError) -> PictureTensor.Normalization {
    func decide(
      _ value: PictureTensor.Normalization, _ source: String
    ) -> PictureTensor.Normalization {
      explanation.add("values", value.text, from: source)
      return value
    }
    if let given = options.normalization { return decide(given, "options") }
    if element.byteCount == 1 {
      if let odd = oddlyQuantized(place.index, convention) {
        return decide(odd, "the quantization of the input")
      }
      return decide(.none, "the input's type")
    }
    if let described = facts.metadata(ofInput: place.index)?.normalization {
      warn(described, besides: convention, &explanation)
      return decide(described, "metadata")
    }
    if let evident = evident(place.index) { return decide(evident.value, evident.source) }
    if let usual = convention.normalization { return decide(usual, convention.source) }
    throw .ambiguous(
      """
      neither metadata nor the graph tell which numbers the input '\(facts.inputs[place.index].name)' \
      takes; the usual ones are 0…1, -1…1, 0…255 and ImageNet's mean and deviation: say which \
      (normalization in the options, --values on the command line)
      """)
  }

  /// Returns the range of bytes for an input whose scale is that of no usual range.
  ///
  /// Calibration then has seen more or less than pictures of 0…1, on which the family is trained.
  private func oddlyQuantized(
    _ index: Int, _ convention: PictureInput.Convention
  ) -> PictureTensor.Normalization? {
    let input = facts.inputs[index]
    guard convention.normalization == .unit, let quantization = input.quantization,
      quantization.zeroPoint == (input.type == .int8 ? -128 : 0)
    else { return nil }
    let highest = quantization.scale * 255
    guard (0.25...0.9).contains(highest) || (1.1...4).contains(highest) else { return nil }
    return PictureTensor.Normalization(mean: [0], deviation: [highest])
  }

  /// Warns if the metadata describe far larger or smaller numbers than such networks usually take.
  private func warn(
    _ described: PictureTensor.Normalization, besides convention: PictureInput.Convention,
    _ explanation: inout Explanation
  ) {
    guard let usual = convention.normalization, usual.levels > 0, described.levels > 0,
      max(usual.levels / described.levels, described.levels / usual.levels) > 16
    else { return }
    explanation.warn(
      "the metadata say that the input takes \(described.text), but such networks usually take "
        + "\(usual.text): if the answers are odd, say which (normalization in the options, --values)"
    )
  }

  /// Returns the value range that the graph's first operator on the input implies.
  private func evident(_ index: Int) -> (value: PictureTensor.Normalization, source: String)? {
    switch facts.graph.inputs[index].range {
    case .quantized(let low, let high):
      Self.range(from: low, to: high).map { ($0, "the quantization of the input") }
    case .scaledBytes(let operatorName): (.none, "the \(operatorName) that the graph begins with")
    case nil: nil
    }
  }

  /// Returns the common value range that is close to a smallest and a largest value.
  private static func range(from low: Float, to high: Float) -> PictureTensor.Normalization? {
    let near = { (a: Float, b: Float) in abs(a - b) <= 0.03 * (high - low) }
    if near(low, 0), near(high, 1) { return .unit }
    if near(low, -1), near(high, 1) { return .signedUnit }
    if near(low, 0), near(high, 255) { return PictureTensor.Normalization.none }
    return nil
  }
}

extension TensorMetadata {
  /// The value range that the metadata describe, if they do.
  package var normalization: PictureTensor.Normalization? {
    for case .normalization(let mean, let deviation) in processUnits {
      // The limits beside it are usually those of the picture before it is normalized. If they are
      // 0 and 1, a small deviation is one of fractions, not of bytes.
      let areFractions =
        !maximum.isEmpty && maximum.allSatisfy { $0 == 1 } && minimum.allSatisfy { $0 == 0 }
        && deviation.allSatisfy { abs($0) <= 1 }
      let scale: Float = areFractions ? 255 : 1
      return PictureTensor.Normalization(
        mean: mean.map { $0 * scale }, deviation: deviation.map { $0 * scale })
    }
    return nil
  }
}

extension PictureTensor.Normalization {
  /// The mean and deviation of ImageNet, with which many PyTorch networks are trained.
  public static let imageNet = PictureTensor.Normalization(
    mean: [123.675, 116.28, 103.53], deviation: [58.395, 57.12, 57.375])

  /// The range in words, or the numbers.
  var text: String {
    switch self {
    case .none: "0…255"
    case .unit: "0…1"
    case .signedUnit: "-1…1"
    default: "(value - \(Self.text(mean))) / \(Self.text(deviation))"
    }
  }

  private static func text(_ values: [Float]) -> String {
    values.count == 1 ? "\(values[0])" : "[\(values.map { "\($0)" }.joined(separator: ", "))]"
  }

  /// The smallest difference, over channels, between the input values of black and white.
  fileprivate var levels: Float { deviation.map { 255 / abs($0) }.min() ?? 0 }

  /// Whether the numbers are usable for this many channels: finite, with deviations other than 0.
  func isUsable(channels: Int) -> Bool {
    [mean, deviation].allSatisfy {
      ($0.count == 1 || $0.count == channels) && $0.allSatisfy(\.isFinite)
    } && !deviation.contains(0)
  }
}

extension PictureFit {
  /// The rule in words.
  var text: String {
    switch self {
    case .stretch: "stretch"
    case .letterbox(let position): "letterbox, \(position.rawValue)"
    case .centerCrop: "centre crop"
    }
  }
}
