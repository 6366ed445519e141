/// The trade-off between speed and reproducibility for floats.
public enum Numerics: Hashable, Sendable {
  /// As fast as possible.
  ///
  /// A multiplication and an addition may be fused, convolutions may use Winograd's method, and
  /// functions are within a few units in the last place.
  case fast
  /// Bit-exact with the official reference kernels.
  ///
  /// Every multiplication and addition is rounded separately, in the reference's order, and
  /// functions return the bits of the C library.
  case exact
  /// Bit-exact with the micro-kernels of XNNPACK, LiteRT's default delegate, for a processor.
  ///
  /// A sum begins with its bias and is one chain of fused multiply-adds, in the order in which
  /// XNNPACK packs the weights of a window; functions are XNNPACK's approximations.
  case litert(LiteRTProcessor)
}

/// The processors for which XNNPACK has micro-kernels with bits of their own, as far as they are
/// imitated; any processor computes the bits of all of them.
public enum LiteRTProcessor: String, CaseIterable, Hashable, Sendable {
  /// AMD's processors with AVX2 and fused multiply-adds.
  case avx2
  /// Intel's, whose estimates of reciprocal roots have other bits.
  case avx2Intel = "avx2-intel"
  /// x86 with AVX-512.
  case avx512
  /// 64-bit Arm.
  case neon
}
