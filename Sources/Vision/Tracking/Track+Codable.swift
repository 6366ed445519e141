import OcellusImaging

extension Track: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, box, velocity, category, score, age
    case detectionIndex = "detection_index"
  }

  /// Reads a track; its age is in seconds.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let seconds = try values.decode(Double.self, forKey: .age)
    guard abs(seconds) <= Self.longestAge else {
      throw DecodingError.dataCorruptedError(
        forKey: .age, in: values, debugDescription: "an age of \(seconds) seconds is impossible")
    }
    self.init(
      id: try values.decodeIfPresent(Int.self, forKey: .id),
      box: try values.decode(BoundingBox.self, forKey: .box),
      velocity: try values.decode(PixelVelocity.self, forKey: .velocity),
      category: try values.decodeIfPresent(Category.self, forKey: .category),
      score: Float(try values.decode(Double.self, forKey: .score)),
      age: .roundedSeconds(seconds),
      detectionIndex: try values.decode(Int.self, forKey: .detectionIndex))
  }

  /// Writes the track with the names and units of the command's results.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(box, forKey: .box)
    try values.encode(velocity, forKey: .velocity)
    try values.encode(category, forKey: .category)
    try values.encode(Double(score), forKey: .score)
    try values.encode(age / .seconds(1), forKey: .age)
    try values.encode(detectionIndex, forKey: .detectionIndex)
  }

  /// The longest age that a duration can hold, in seconds.
  static let longestAge = 1e18
}

extension Duration {
  /// Returns a duration in whole nanoseconds, which one number of seconds in JSON can hold.
  ///
  /// Beyond a hundred days a `Double` has no nanoseconds.
  static func roundedSeconds(_ seconds: Double) -> Duration {
    abs(seconds) < 8_640_000
      ? .nanoseconds(Int64((seconds * 1e9).rounded())) : .seconds(seconds.rounded())
  }
}
