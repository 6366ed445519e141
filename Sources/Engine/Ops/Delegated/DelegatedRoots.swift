/// XNNPACK's square roots on x86: one step of Newton's method from the processor's estimate of the
/// reciprocal.
enum DelegatedRoots {
  static var squareRoots: ElementLoop { loop { squareRoot($0, $1) } }

  static var reciprocalSquareRoots: ElementLoop { loop { reciprocalSquareRoot($0, $1) } }

  /// Returns a loop whose tables are looked up once, since an element takes two nanoseconds.
  @inline(__always)
  private static func loop(
    _ function: @escaping @Sendable (Float, ReciprocalRootEstimate) -> Float
  ) -> ElementLoop {
    ElementLoop(
      mapping: .body { input, output in
        let (source, target) = (input.values(Float.self), output.values(Float.self))
        ReciprocalRootEstimate.withTables { estimate in
          for chunk in output.chunks(of: source.count) {
            for index in chunk { target[index] = function(source[index], estimate) }
          }
        }
      })
  }

  @inline(__always)
  private static func squareRoot(_ x: Float, _ estimate: ReciprocalRootEstimate) -> Float {
    if ReciprocalRootEstimate.isNormal(x) { return x * refined(estimate.ofNormal(x), of: x) }
    // Also for subnormal numbers, which count as zero here.
    if x == 0 { return x * 0 }
    return x == .infinity ? x : x * refined(estimate.ofExtreme(x), of: x)
  }

  @inline(__always)
  private static func reciprocalSquareRoot(
    _ x: Float, _ estimate: ReciprocalRootEstimate
  ) -> Float {
    if ReciprocalRootEstimate.isNormal(x) { return refined(estimate.ofNormal(x), of: x) }
    return x == .infinity ? 0 : refined(estimate.ofExtreme(x), of: x)
  }

  /// Every step is rounded by itself.
  @inline(__always)
  private static func refined(_ estimate: Float, of x: Float) -> Float {
    let miss = x * (estimate * estimate) - 1
    return estimate - miss * (0.5 * estimate)
  }
}
