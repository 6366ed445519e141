import OcellusImaging

extension Detection: Codable {
  private enum CodingKeys: String, CodingKey {
    case box, score, categories, keypoints
    case normalizedBox = "normalized_box"
    case trackingID = "tracking_id"
  }

  /// Reads a detection as the command's results contain it.
  ///
  /// The size of the picture follows from the two boxes.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      box: try values.decode(BoundingBox.self, forKey: .box),
      categories: try values.decode([Category].self, forKey: .categories),
      score: Float(try values.decode(Double.self, forKey: .score)),
      keypoints: try values.decode([PixelPoint].self, forKey: .keypoints),
      trackingID: try values.decodeIfPresent(Int.self, forKey: .trackingID))
    imageSize = try values.decodeIfPresent(BoundingBox.self, forKey: .normalizedBox)
      .flatMap { PixelSize(ofImageWith: box, normalized: $0) }
  }

  /// Writes the detection in the form of the command's results.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(box, forKey: .box)
    try values.encode(normalizedBox, forKey: .normalizedBox)
    try values.encode(Double(score), forKey: .score)
    try values.encode(categories, forKey: .categories)
    try values.encode(keypoints, forKey: .keypoints)
    try values.encode(trackingID, forKey: .trackingID)
  }
}

extension PixelSize {
  /// Derives the size of an image from a box in its pixels and in fractions of its size.
  ///
  /// `nil` if the box does not reveal it, because it lies at the origin and has no area.
  fileprivate init?(ofImageWith box: BoundingBox, normalized: BoundingBox) {
    func length(_ pixels: [Double], _ fractions: [Double]) -> Int? {
      let largest = zip(pixels, fractions).max { abs($0.1) < abs($1.1) }
      guard let (pixel, fraction) = largest, fraction != 0 else { return nil }
      return Int(exactly: (pixel / fraction).rounded())
    }
    guard
      let width = length([box.left, box.right], [normalized.left, normalized.right]),
      let height = length([box.top, box.bottom], [normalized.top, normalized.bottom]),
      width > 0, height > 0
    else { return nil }
    self.init(width: width, height: height)
  }
}
