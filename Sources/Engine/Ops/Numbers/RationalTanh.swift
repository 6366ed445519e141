/// The hyperbolic tangent with the bits that the official kernels of GELU and of the recurrent
/// operators have: an odd polynomial of degree nine over an even one of degree eight.
///
/// They take it from a library of vectors, where TANH itself calls the C library.
func rationalTanh(_ x: Float) -> Float {
  // Where the fraction becomes one; NaN passes.
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
