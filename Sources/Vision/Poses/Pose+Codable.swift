import OcellusImaging

extension Pose: Codable {
  private enum CodingKeys: String, CodingKey { case score, points }
  private enum PointKeys: String, CodingKey { case index, name, x, y, score }

  /// Reads a pose as the command's results contain it.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    var list = try values.nestedUnkeyedContainer(forKey: .points)
    var points: [Point] = []
    while !list.isAtEnd {
      let point = try list.nestedContainer(keyedBy: PointKeys.self)
      points.append(
        Point(
          name: try point.decodeIfPresent(String.self, forKey: .name),
          position: PixelPoint(
            x: try point.decode(Double.self, forKey: .x),
            y: try point.decode(Double.self, forKey: .y)),
          score: try point.decodeIfPresent(Double.self, forKey: .score).map { Float($0) }))
    }
    self.init(
      points: points,
      score: try values.decodeIfPresent(Double.self, forKey: .score).map { Float($0) })
  }

  /// Writes the pose in the form of the command's results.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(score.map { Double($0) }, forKey: .score)
    var list = values.nestedUnkeyedContainer(forKey: .points)
    for (index, point) in points.enumerated() {
      var values = list.nestedContainer(keyedBy: PointKeys.self)
      try values.encode(index, forKey: .index)
      try values.encode(point.name, forKey: .name)
      try values.encode(point.position.x, forKey: .x)
      try values.encode(point.position.y, forKey: .y)
      try values.encode(point.score.map { Double($0) }, forKey: .score)
    }
  }
}
