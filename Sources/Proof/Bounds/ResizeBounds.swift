import OcellusEngine

/// The bounds of bilinear interpolation between pixels.
///
/// Engines compute places between pixels in float32. What this changes is at most the error of a
/// place times the steepest slope near it, since the interpolated picture is continuous.
struct ResizeBounds {
  let isAligned: Bool
  let hasHalfPixels: Bool

  init(_ options: OperatorOptions) {
    isAligned = options.flag("align_corners")
    hasHalfPixels = options.flag("half_pixel_centers")
  }

  /// The place of one output along an axis.
  private struct Place {
    var first: Int
    var second: Int
    var share: Double
    /// By how much an engine's place may differ.
    var error: Double
    /// The pixels that may be neighbours of the engine's place.
    var near: ClosedRange<Int>
  }

  private func places(input: Int, output: Int) -> [Place] {
    let scale =
      isAligned && output > 1
      ? Double(input - 1) / Double(output - 1) : Double(input) / Double(output)
    return (0..<output).map { index in
      let exact =
        hasHalfPixels && !isAligned ? (Double(index) + 0.5) * scale - 0.5 : Double(index) * scale
      let place = exact.clamped(to: 0...Double(input - 1))
      let first = min(Int(place), input - 1)
      let error = 8 * Float32Rounding.halfUnit * (abs(exact) + 1)
      return Place(
        first: first, second: min(first + 1, input - 1), share: place - Double(first), error: error,
        near: max(first - 1, 0)...min(first + 2, input - 1))
    }
  }

  func bounds(_ input: Intervals, output: [Int]) -> Intervals? {
    guard input.shape.count == 4, output.count == 4, input.shape[1] > 0, input.shape[2] > 0,
      input.shape[0] == output[0], input.shape[3] == output[3]
    else { return nil }
    let rows = places(input: input.shape[1], output: output[1])
    let columns = places(input: input.shape[2], output: output[2])
    var result = Intervals(shape: output)
    var target = 0
    for image in 0..<output[0] {
      for row in rows {
        for column in columns {
          for channel in 0..<output[3] {
            result[target] = interpolated(input, row, column) { y, x in
              ((image * input.shape[1] + y) * input.shape[2] + x) * input.shape[3] + channel
            }
            target += 1
          }
        }
      }
    }
    return result
  }

  private func interpolated(
    _ input: Intervals, _ row: Place, _ column: Place, _ index: (Int, Int) -> Int
  ) -> Interval {
    let places = [
      index(row.first, column.first), index(row.first, column.second),
      index(row.second, column.first), index(row.second, column.second),
    ]
    let weights = [
      (1 - row.share) * (1 - column.share), (1 - row.share) * column.share,
      row.share * (1 - column.share), row.share * column.share,
    ]
    guard places.allSatisfy({ input[$0].isFinite }) else { return .anything }
    var (low, high) = (0.0, 0.0)
    for (place, weight) in zip(places, weights) {
      low += weight * input.lows[place]
      high += weight * input.highs[place]
    }
    let near = row.near.flatMap { y in column.near.map { x in input[index(y, x)] } }
    guard near.allSatisfy(\.isFinite) else { return .anything }
    let least = near.map(\.low).min() ?? 0
    let most = near.map(\.high).max() ?? 0
    // Two interpolations round differences, products and sums of numbers between these.
    let rounding = Float32Rounding.gamma(12) * max(abs(least), abs(most))
    return Interval(low: low, high: high).widened(
      by: (row.error + column.error) * (most - least) + rounding + Float32Rounding.smallestNormal)
  }
}
