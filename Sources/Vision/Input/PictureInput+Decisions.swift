import OcellusImaging

extension PictureInput.Options {
  /// The properties of an explanation that say how a picture becomes an input.
  package static let decisions: Set = ["input size", "colours", "values", "resampler", "fit"]

  /// Makes the options that lead to decisions which an explanation has listed, by property.
  ///
  /// Decisions that are unknown or that no option expresses are left to the model.
  package init(leadingTo decisions: [String: String]) {
    self.init(
      size: decisions["input size"].flatMap { PixelSize(explained: $0) },
      // A model of one channel takes no other colours.
      channels: decisions["colours"].flatMap { PictureTensor.Channels(rawValue: $0) }
        .flatMap { $0 == .gray ? nil : $0 },
      normalization: decisions["values"].flatMap { PictureTensor.Normalization(explained: $0) },
      resampler: decisions["resampler"].flatMap { Resampler(rawValue: $0) },
      fit: decisions["fit"].flatMap { text in PictureFit.all.first { $0.text == text } })
  }
}

extension PixelSize {
  /// Reads the size from a text such as `256x192, nhwc`.
  fileprivate init?(explained text: String) {
    let sides = text.prefix { $0 != "," }.split(separator: "x", omittingEmptySubsequences: false)
      .compactMap { Int($0) }
    guard sides.count == 2, sides.allSatisfy({ (1...65_535).contains($0) }) else { return nil }
    self.init(width: sides[0], height: sides[1])
  }
}

extension PictureFit {
  fileprivate static let all: [PictureFit] =
    [.stretch, .centerCrop] + [.center, .corner].map { .letterbox($0) }
}

extension PictureTensor.Normalization {
  /// Reads the range or the numbers from the text of an explanation.
  fileprivate init?(explained text: String) {
    if let common = [.none, .unit, .signedUnit].first(where: { (known: Self) in known.text == text }
    ) {
      self = common
      return
    }
    guard let parts = text.parts(behind: "(value - ", around: ") / ") else { return nil }
    let (mean, deviation) = (Self.numbers(parts.0), Self.numbers(parts.1))
    guard [1, 3].contains(mean.count), [1, 3].contains(deviation.count),
      (mean + deviation).allSatisfy(\.isFinite), !deviation.contains(0)
    else { return nil }
    self.init(mean: mean, deviation: deviation)
  }

  /// Reads a number, or numbers between brackets.
  private static func numbers(_ text: Substring) -> [Float] {
    let list = text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text
    return list.split(separator: ",").map { Float($0.drop { $0 == " " }) ?? .nan }
  }
}

extension String {
  /// Returns the parts behind a prefix and around the first separator.
  fileprivate func parts(
    behind prefix: String, around separator: String
  ) -> (Substring, Substring)? {
    guard hasPrefix(prefix) else { return nil }
    let rest = dropFirst(prefix.count)
    guard let found = rest.firstRange(of: separator) else { return nil }
    return (rest[..<found.lowerBound], rest[found.upperBound...])
  }
}
