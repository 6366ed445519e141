import OcellusKernelABI

/// A part of the names of kernels that use Winograd's method.
package let winogradMark = "winograd"

extension PatchGeometry {
  /// The number of pixels in the smallest range of output rows that consists of pairs
  /// `dilationHeight` rows apart.
  var winogradRows: Int { 2 * dilationHeight * outputWidth }
}

extension MatrixMultiplication {
  // Not taken: more overlapping tiles than `suitsWinograd` allows (10×10×24 with a dilation of 2:
  // 0.91 to 0.96 times as fast, 6×6×128 0.95; Zen 3).
  /// Returns the kernel that uses Winograd's method for floats, if it suits; weights must be
  /// finite.
  ///
  /// Like results with fused multiply-adds, its results are not bit-exact. With fewer channels, the
  /// transforms take as long as they save. The choice must not depend on the processor, since
  /// results must be the same on all processors.
  func winograd(_ context: PlanContext) -> FloatGEMM? {
    let hasEnough =
      patches.channels >= 24 && columnCount >= 8 || patches.channels >= 16 && columnCount >= 32
    guard context.numerics == .fast, !context.multipliesBFloat16, patches.suitsWinograd, hasEnough
    else { return nil }
    return context.kernels.floatWinograd
  }
}
