import OcellusImaging

/// Parses points on the command line, in pixels or in percent of a picture of known size.
struct PictureCoordinates {
  let size: PixelSize?

  /// Returns the points in a text such as `100,200,50%,100%`.
  func points(
    in text: String, of option: String, count: ClosedRange<Int>
  ) throws(UsageError) -> [PixelPoint] {
    let fields = text.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count.isMultiple(of: 2), count.contains(fields.count / 2) else {
      let wanted = count.lowerBound == count.upperBound ? "" : " at least"
      throw UsageError(
        "--\(option) wants\(wanted) \(count.lowerBound) points, X,Y,X,Y and so on, not '\(text)'")
    }
    var points: [PixelPoint] = []
    for index in stride(from: 0, to: fields.count, by: 2) {
      points.append(
        PixelPoint(
          x: try coordinate(fields[index], of: option, length: size?.width),
          y: try coordinate(fields[index + 1], of: option, length: size?.height)))
    }
    return points
  }

  private func coordinate(
    _ field: Substring, of option: String, length: Int?
  ) throws(UsageError) -> Double {
    let isPercent = field.hasSuffix("%")
    guard let number = Double(isPercent ? field.dropLast() : field), number.isFinite else {
      throw UsageError("--\(option) wants numbers, not '\(field)'")
    }
    guard isPercent else { return number }
    guard let length else {
      throw UsageError("--\(option) is in percent, which needs --size")
    }
    return number / 100 * Double(length)
  }
}
