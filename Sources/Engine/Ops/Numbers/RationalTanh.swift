/// Returns the hyperbolic tangent, bit-exact with the official kernels of GELU and the recurrent
/// operators.
///
/// It is an odd polynomial of degree nine over an even one of degree eight. These kernels take it
/// from a vector library, while TANH calls the C library.
func rationalTanh(_ x: Float) -> Float {
  // Beyond this limit the fraction is one. NaN passes through.
  let limit: Float = 7.9073896
  let x = x > limit ? limit : x < -limit ? -limit : x
  let square = x * x
  let odd =
    ((1.394553628e-8 * square + 2.102733560e-5) * square + 3.520756727e-3) * square
    + 1.340216100e-1
  let even =
    (((8.015776984e-7 * square + 3.326951409e-4) * square + 2.597254514e-2) * square
      + 4.673548340e-1) * square + 1
  return (square * x * odd + x) / even
}
