/// The rules of `Numerics.bfloat16`, one product at a time.
package enum BFloat16Arithmetic {
  /// The nearest bfloat16 number, the even one in a tie, or zero below 2⁻⁵⁶.
  package static func rounded(_ x: Float) -> Float {
    if x.isNaN { return .nan }
    if abs(x) < 0x1p-56 { return 0 }
    let lower = abs(x).bitPattern >> 16
    // What follows the greatest number is infinity, which stands for 2¹²⁸ here.
    func value(_ upperHalf: UInt32) -> Double {
      upperHalf == 0x7F80 ? 0x1p128 : Double(Float(bitPattern: upperHalf << 16))
    }
    let magnitude = x.isInfinite ? 0x1p128 : Double(abs(x))
    let (below, above) = (magnitude - value(lower), value(lower + 1) - magnitude)
    let isUp = !x.isInfinite && (below > above || below == above && lower % 2 == 1)
    let result = Float(bitPattern: (isUp ? lower + 1 : lower) << 16)
    return x.sign == .minus ? -result : result
  }

  /// Returns the sum of the products of rounded factors: in blocks of 32 of each run, with one chain
  /// of the products at even places and one of those at odd places.
  package static func sum(
    of depth: Int, inRunsOf runElements: Int, _ factors: (_ element: Int) -> (Float, Float)
  ) -> Float {
    var sum: Float = 0
    for run in stride(from: 0, to: depth, by: runElements) {
      for block in stride(from: run, to: run + runElements, by: 32) {
        var chains: [Float] = [0, 0]
        for element in block..<min(block + 32, run + runElements) {
          let (x, y) = factors(element)
          chains[(element - block) % 2].addProduct(x, y)
        }
        sum += chains[0] + chains[1]
      }
    }
    return sum
  }
}
