extension Category: Codable {
  private enum CodingKeys: String, CodingKey { case index, label, score }

  /// Reads a category as the command's results contain it.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      index: try values.decode(Int.self, forKey: .index),
      label: try values.decodeIfPresent(String.self, forKey: .label),
      score: Float(try values.decode(Double.self, forKey: .score)))
  }

  /// Writes the category in the form of the command's results.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(index, forKey: .index)
    try values.encode(label, forKey: .label)
    try values.encode(Double(score), forKey: .score)
  }
}
