import OcellusKernelABI

/// XNNPACK's square roots: on x86, one step of Newton's method from the processor's estimate of the
/// reciprocal.
enum DelegatedRoots {
  static func squareRoots(_ processor: LiteRTProcessor) -> ElementLoop {
    switch processor {
    case .avx2: loop(RootEstimateOfAMD.self) { squareRoot($0, $1) }
    case .avx2Intel: loop(RootEstimateOfIntel.self) { squareRoot($0, $1) }
    case .avx512: loop(RootEstimateOfAVX512.self) { squareRoot($0, $1) }
    case .neon: .elements { (x: Float) in x.squareRoot() }
    }
  }

  static func reciprocalSquareRoots(_ processor: LiteRTProcessor) -> ElementLoop {
    switch processor {
    case .avx2: loop(RootEstimateOfAMD.self) { reciprocalSquareRoot($0, $1) }
    case .avx2Intel: loop(RootEstimateOfIntel.self) { reciprocalSquareRoot($0, $1) }
    case .avx512: loop(RootEstimateOfAVX512.self) { reciprocalSquareRoot($0, $1) }
    case .neon: .elements { (x: Float) in 1 / x.squareRoot() }
    }
  }

  /// Returns a loop whose tables are looked up once, since an element takes two nanoseconds.
  @inline(__always)
  private static func loop<Estimate: ReciprocalRootEstimate>(
    _: Estimate.Type, _ function: @escaping @Sendable (Float, Estimate) -> Float
  ) -> ElementLoop {
    ElementLoop(
      mapping: .body { input, output in
        let (source, target) = (input.values(Float.self), output.values(Float.self))
        Estimate.withTables { estimate in
          for chunk in output.chunks(of: source.count) {
            for index in chunk { target[index] = function(source[index], estimate) }
          }
        }
      })
  }

  @inline(__always)
  private static func squareRoot<Estimate: ReciprocalRootEstimate>(
    _ x: Float, _ estimate: Estimate
  ) -> Float {
    if Estimate.isNormal(x) { return x * refined(estimate.ofNormal(x), of: x) }
    // Also for subnormal numbers, which count as zero here.
    if x == 0 { return x * 0 }
    return x == .infinity ? x : x * refined(Estimate.ofExtreme(x), of: x)
  }

  @inline(__always)
  private static func reciprocalSquareRoot<Estimate: ReciprocalRootEstimate>(
    _ x: Float, _ estimate: Estimate
  ) -> Float {
    if Estimate.isNormal(x) { return refined(estimate.ofNormal(x), of: x) }
    return x == .infinity ? 0 : refined(Estimate.ofExtreme(x), of: x)
  }

  /// Every step is rounded by itself.
  @inline(__always)
  private static func refined(_ estimate: Float, of x: Float) -> Float {
    let miss = x * (estimate * estimate) - 1
    return estimate - miss * (0.5 * estimate)
  }
}
