import OcellusImaging

/// The decoding of keypoints.
extension PoseFormat {
  /// Decodes the outputs, in fractions of an input of the given size.
  func findings(
    in outputs: [OutputTensor], inputSize: PixelSize, presenceIsProbability: Bool,
    mapsAreProbabilities: Bool
  ) throws(VisionError) -> [Finding] {
    guard outputs.allSatisfy({ $0.values.allSatisfy(\.isFinite) }) else {
      throw .implausible("the model's points contain NaN or infinite coordinates")
    }
    switch self {
    case .rows(let output, let count):
      return [try Self.checked(Self.row(outputs[output].values, 0, count))]
    case .bodies(let output, let count):
      let values = outputs[output].values
      var findings: [Finding] = []
      for start in stride(from: 0, to: values.count - 3 * count - 4, by: 3 * count + 5) {
        var finding = Self.row(values, start, count)
        finding.score = values[start + 3 * count + 4]
        findings.append(try Self.checked(finding))
      }
      return findings
    case .lists(let lists, let numbers, let presence):
      var finding = Finding(
        points: lists.flatMap { Self.list(outputs[$0].values, numbers, inputSize) })
      finding.score = presence.flatMap { outputs[$0].values.first }.map {
        presenceIsProbability ? $0 : sigmoid($0)
      }
      return [finding]
    case .affinities(let output): return try PartAffinities(outputs[output]).findings()
    case .heatMaps(let output, let offsets):
      return [
        Self.peaks(
          of: outputs[output], offsets: offsets.map { outputs[$0] }, inputSize,
          areProbabilities: mapsAreProbabilities)
      ]
    }
  }

  /// Throws if the third number of a row, or the pose's score, is not a possible score.
  private static func checked(_ finding: Finding) throws(VisionError) -> Finding {
    let scores = finding.points.map(\.score) + [finding.score]
    guard let wrong = scores.first(where: { !Plausibility.isScore($0 ?? 0) }) else {
      return finding
    }
    throw .implausible(
      "a score of \(wrong ?? 0), which is no probability; the rows were read as y, x and score: if they "
        + "are x, y and z, say so (--numbers 3)")
  }

  private static func row(
    _ values: UnsafeBufferPointer<Float>, _ start: Int, _ count: Int
  ) -> Finding {
    let points = (0..<count).map { index in
      let offset = start + 3 * index
      return (
        position: PixelPoint(x: Double(values[offset + 1]), y: Double(values[offset])),
        score: Float?.some(values[offset + 2])
      )
    }
    return Finding(
      points: points, score: points.reduce(0) { $0 + ($1.score ?? 0) } / Float(max(count, 1)))
  }

  private static func list(
    _ values: UnsafeBufferPointer<Float>, _ numbers: Int, _ size: PixelSize
  ) -> [(position: PixelPoint, score: Float?)] {
    let offsets = stride(from: 0, to: values.count - numbers + 1, by: numbers)
    // Fractions are below 2; in pixels, no object would lie entirely in that corner.
    let areFractions = offsets.allSatisfy { abs(values[$0]) < 2 && abs(values[$0 + 1]) < 2 }
    let (width, height) = areFractions ? (1, 1) : (Double(size.width), Double(size.height))
    return offsets.map { offset in
      // Lists of bodies have the logit of the keypoint's visibility after x, y and z.
      let score: Float? = numbers == 5 ? sigmoid(values[offset + 3]) : nil
      return (
        PixelPoint(x: Double(values[offset]) / width, y: Double(values[offset + 1]) / height), score
      )
    }
  }

  private static func peaks(
    of maps: OutputTensor, offsets: OutputTensor?, _ size: PixelSize, areProbabilities: Bool
  ) -> Finding {
    let (rows, columns, count) = (maps.shape[1], maps.shape[2], maps.shape[3])
    var points = (0..<count).map { point in
      var best = 0
      for cell in 1..<rows * columns where maps[cell * count + point] > maps[best * count + point] {
        best = cell
      }
      let (row, column) = (best / columns, best % columns)
      let value = maps[best * count + point]
      let position: PixelPoint
      if let offsets {
        // Offsets are in pixels, y of all keypoints before x; cells reach from edge to edge of the
        // input.
        let start = best * 2 * count + point
        position = PixelPoint(
          x: Double(column) / Double(columns - 1) + Double(offsets[start + count])
            / Double(size.width),
          y: Double(row) / Double(rows - 1) + Double(offsets[start]) / Double(size.height))
      } else {
        position = PixelPoint(
          x: (Double(column) + 0.5) / Double(columns), y: (Double(row) + 0.5) / Double(rows))
      }
      let score = offsets != nil && !areProbabilities ? sigmoid(value) : value
      return (position: position, score: Float?.some(score))
    }
    // Unnormalized maps have a peak but no score.
    guard points.allSatisfy({ Plausibility.isScore($0.score ?? 0) }) else {
      for index in points.indices { points[index].score = nil }
      return Finding(points: points)
    }
    return Finding(
      points: points, score: points.reduce(0) { $0 + ($1.score ?? 0) } / Float(max(count, 1)))
  }
}
