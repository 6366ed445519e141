/// Numbers as a line of small bars, scaled from the minimum to the maximum.
struct Sparkline: CustomStringConvertible {
  private static let bars = Array("▁▂▃▄▅▆▇█")
  /// The range relative to the maximum below which differences are not exaggerated.
  private static let smallestRange = 0.02

  let description: String

  init(_ numbers: [Double]) {
    guard let minimum = numbers.min(), let maximum = numbers.max() else {
      description = ""
      return
    }
    let range = max(maximum - minimum, Self.smallestRange * maximum, .leastNonzeroMagnitude)
    description = String(
      numbers.map { Self.bars[Int(($0 - minimum) / range * Double(Self.bars.count - 1))] })
  }
}
