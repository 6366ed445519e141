import OcellusImaging

extension ObjectDetector {
  /// Returns which other range of input values would give a plausible answer for a picture.
  ///
  /// It is asked after an implausible answer only: a wrong range is its most frequent cause. `nil`
  /// when no range does, or when the input takes bytes, whose range is certain.
  func betterRange(for image: Image, region: BoundingBox?) -> String? {
    guard input.tensor.element == .float32, !options.isTrial else { return nil }
    let usual = decoder.inputConvention.normalization
    let ranges = ([usual].compactMap { $0 } + [.unit, .signedUnit, .none]).filter {
      $0 != input.tensor.normalization
    }
    var empty: PictureTensor.Normalization?
    for (index, range) in ranges.enumerated() where ranges.firstIndex(of: range) == index {
      guard let count = count(in: image, region: region, range) else { continue }
      if count > 0 {
        return Self.advice(range, "finds \(count) \(count == 1 ? "object" : "objects")")
      }
      if range == usual { empty = range }
    }
    return empty.map { Self.advice($0, "finds nothing here") }
  }

  private static func advice(_ range: PictureTensor.Normalization, _ finding: String) -> String {
    "with values \(range.text) it \(finding) (--values \(range.argument))"
  }

  /// Returns the number of objects with another range; `nil` if that answer is implausible, too.
  private func count(
    in image: Image, region: BoundingBox?, _ range: PictureTensor.Normalization
  ) -> Int? {
    var options = options
    options.isTrial = true
    options.tiling = nil
    options.input.normalization = range
    guard let trial = try? ObjectDetector(network.model, options: options) else { return nil }
    return try? trial.detect(in: image, region: region, findingAll: true).count
  }
}

extension PictureTensor.Normalization {
  /// The range as the command line takes it.
  fileprivate var argument: String {
    switch self {
    case .none: "0..255"
    case .unit: "0..1"
    case .signedUnit: "-1..1"
    default: "imagenet"
    }
  }
}
