/// How floats are computed where there is a choice.
public enum Numerics: Sendable {
  /// As fast as possible: products and sums may be fused, convolutions computed by Winograd's method,
  /// and functions are within a few units of the last place.
  case fast
  /// With the bits of the official reference kernels: every product and sum is rounded by itself, in
  /// their order, and functions are those of the C library.
  case exact
}
