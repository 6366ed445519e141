/// Numbers as a line of little bars, from the smallest to the largest of them.
struct Sparkline: CustomStringConvertible {
  private static let bars = Array("▁▂▃▄▅▆▇█")
  /// Numbers nearer to each other than this part of themselves are of one height.
  private static let smallestRange = 0.02

  let description: String

  init(_ numbers: [Double]) {
    guard let least = numbers.min(), let most = numbers.max() else {
      description = ""
      return
    }
    let range = max(most - least, Self.smallestRange * most, .leastNonzeroMagnitude)
    description = String(
      numbers.map { Self.bars[Int(($0 - least) / range * Double(Self.bars.count - 1))] })
  }
}
