import OcellusImaging

/// Whether what a decoder read can be: families are recognised by shapes, and shapes may deceive.
struct Plausibility {
  /// What was read, in words.
  let decoder: String

  /// Probabilities may be quantized to a little more than 1.
  private static let scores: ClosedRange<Float> = -0.05...1.05

  /// Whether a number can be a score.
  static func isScore(_ number: Float) -> Bool { scores.contains(number) }

  /// Where a box may be, in sizes of the input: objects stick out, but not by far.
  private static let places = -3.0...4.0

  /// Those of the candidates that can be: a network shown a strange picture says strange things, but
  /// not mostly.
  ///
  /// - Throws: `VisionError.implausible` when scores are no probabilities, or most boxes are nowhere.
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
    // Boxes without area fill the tables of networks that found fewer objects.
    return candidates.filter { Self.isNear($0.box) && $0.box.width > 0 && $0.box.height > 0 }
  }

  private static func isNear(_ box: BoundingBox) -> Bool {
    [box.left, box.top, box.right, box.bottom].allSatisfy(places.contains)
  }

  private static func advice(_ decoder: String) -> String {
    "the model was read as \(decoder): if it is something else, give its decoder; if its input takes "
      + "other numbers, say which (--values)"
  }
}

/// Thresholds and overlaps that callers give.
extension VisionError {
  /// Throws unless a number that is a share of 1 lies between 0 and 1.
  static func requireShare(_ value: some BinaryFloatingPoint, _ name: String) throws(VisionError) {
    guard value >= 0, value <= 1 else {
      throw .mismatched("the \(name) is \(value), and must lie between 0 and 1")
    }
  }
}
