import OcellusImaging

/// Checks decoded candidates: families are recognized by shapes, which can mislead.
struct Plausibility {
  /// The description of the decoder, for error messages.
  let decoder: String

  /// The range of scores; quantized probabilities may exceed 1 a little.
  private static let scores: ClosedRange<Float> = -0.05...1.05

  /// Whether a number can be a score.
  static func isScore(_ number: Float) -> Bool { scores.contains(number) }

  /// The range of box coordinates in sizes of the input: objects may extend a little beyond it.
  static let coordinates = -3.0...4.0

  /// Returns the possible candidates.
  ///
  /// A few impossible boxes are dropped: a network may output them for an unusual picture.
  /// - Throws: `VisionError.implausible` when a score is no probability, most boxes are far
  ///   outside, or there is a flood of objects.
  func possible(_ candidates: [Candidate]) throws(VisionError) -> [Candidate] {
    if let wrong = candidates.first(where: { !Self.isScore($0.score) }) {
      throw .implausible(
        "a score of \(wrong.score), which is no probability; \(Self.advice(decoder))")
    }
    let strays = candidates.count { !Self.isNear($0.box) }
    guard 2 * strays <= candidates.count else {
      throw .implausible(
        "\(strays) of \(candidates.count) boxes are far outside the picture; "
          + Self.advice(decoder))
    }
    if let flood = Flood(candidates) {
      throw .implausible(
        "a flood of \(flood.count) objects, many of them certain and across each other, as numbers out "
          + "of the network's range cause it; \(Self.advice(decoder))")
    }
    // Boxes without area are the unused entries of networks with a fixed number of outputs.
    return candidates.filter { Self.isNear($0.box) && $0.box.width > 0 && $0.box.height > 0 }
  }

  private static func isNear(_ box: BoundingBox) -> Bool {
    [box.left, box.top, box.right, box.bottom].allSatisfy(coordinates.contains)
  }

  private static func advice(_ decoder: String) -> String {
    "the model was read as \(decoder): if it is something else, give its decoder; if its input takes "
      + "other numbers, say which (--values 0..1, -1..1, 0..255)"
  }
}

/// Checks of thresholds and overlaps that callers give.
extension VisionError {
  /// Throws unless the number lies between 0 and 1.
  static func requireShare(_ value: some BinaryFloatingPoint, _ name: String) throws(VisionError) {
    guard value >= 0, value <= 1 else {
      throw .mismatched("the \(name) is \(value), and must lie between 0 and 1")
    }
  }
}
