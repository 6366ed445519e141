import OcellusKernelABI

/// What names of such kernels contain.
package let winogradMark = "winograd"

extension PatchGeometry {
  /// The rows of lines in whole pairs, each with the one that is a tap of the window further.
  var winogradRows: Int { 2 * dilationHeight * outputWidth }
}

extension MatrixProduct {
  /// The kernel for several pixels of floats at once, if it suits; weights must be finite.
  ///
  /// Its bits are others than the official ones, as those of fused products are. With fewer channels what is done beside
  /// the products takes as long as it saves. The choice must not depend on the processor: results are the same on all.
  func winograd(_ context: PlanContext) -> FloatGEMM? {
    let hasEnough =
      patches.channels >= 24 && columnCount >= 8 || patches.channels >= 16 && columnCount >= 32
    guard context.numerics == .fast, patches.suitsWinograd, hasEnough else { return nil }
    return context.kernels.floatWinograd
  }
}
