import OcellusImaging

extension Option where Value == BoundingBox? {
  /// The part of the pictures to look at.
  static var region: Self {
    let region = Option<String?>.text(
      "roi", "X,Y,W,H", help: "The part of the pictures to look at, in upright pixels.")
    return Option(definition: region.definition) { texts throws(UsageError) in
      guard let text = try region.read(texts) else { return nil }
      return try BoundingBox(option: "roi", text)
    }
  }
}
