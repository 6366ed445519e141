import OcellusKernelABI

// The approximations of XNNPACK's micro-kernels for 64-bit Arm that differ from those for AVX2, on
// any processor.

/// Calls `body` with the powers 2^(i / 64) for `i` from 0 to 63, in single precision.
///
/// Every second one is in the table of 32 roots. The rounded products for the others are the
/// nearest floats, too.
func withSixtyFourthsOfOctaves(_ body: (UnsafeRawPointer) -> Void) {
  withRootsOfTwo { roots in
    var powers = SIMD64<Float>()
    for index in 0..<32 {
      let entry = roots.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self)
      let power = Double(bitPattern: entry &+ UInt64(truncatingIfNeeded: index) &<< 47)
      powers[2 &* index] = Float(power)
      powers[2 &* index &+ 1] = Float(power * 0x1.02C9A3E778061p0)
    }
    withUnsafeBytes(of: &powers) { body($0.baseAddress.unsafelyUnwrapped) }
  }
}

/// Returns two to the power whose number of 64ths is in the lowest bits.
@inline(__always)
private func sixtyFourthsOfOctaves(
  _ shifted: FloatVector, _ powers: UnsafeRawPointer
) -> FloatVector {
  let bits = integerBits(shifted)
  var root = FloatVector.zero
  for lane in 0..<FloatVector.scalarCount {
    root[lane] = loadFloat(powers + Int(bits[lane] & 63) &* 4)
  }
  let octaves = (bits & SumVector(repeating: ~63)) &<< 17
  return unsafeBitCast(integerBits(root) &+ octaves, to: FloatVector.self)
}

/// Returns `exp(x)` for numbers that are not positive, with a polynomial of the second degree.
@inline(__always)
private func powerOfNegative(_ x: FloatVector, _ powers: UnsafeRawPointer) -> FloatVector {
  let shifter = FloatVector(repeating: 0x1.8p17)
  let shifted = FusedMultiplyAdd.multiplyAdd(shifter, x, FloatVector(repeating: binaryLogarithmOfE))
  let scale = sixtyFourthsOfOctaves(shifted, powers)
  let t = FusedMultiplyAdd.multiplyAdd(
    x, shifted - shifter, FloatVector(repeating: -0x1.62E430p-1))
  let sum = FusedMultiplyAdd.multiplyAdd(t, t, t * FloatVector(repeating: 0x1.FFFF0Ap-2))
  return FusedMultiplyAdd.multiplyAdd(scale, scale, sum)
}

/// Returns `exp(x)` for numbers that are not positive, as in a softmax.
@inline(__always)
func exponentialOfNegativeOfArmXNNPACK(
  _ x: FloatVector, _ powers: UnsafeRawPointer
) -> FloatVector {
  withoutSubnormal(powerOfNegative(x, powers), of: x)
}

@inline(__always)
private func logisticOfArmXNNPACK(_ x: FloatVector, _ powers: UnsafeRawPointer) -> FloatVector {
  let z = negativeMagnitude(x)
  let power = powerOfNegative(z, powers)
  let one = FloatVector(repeating: 1)
  let quotient = power * reciprocalOfArm(power + one)
  let low = withoutSubnormal(quotient, of: z)
  return select(asLanes(x .< FloatVector.zero), low, one - low)
}

/// Returns two steps of Newton's method from Arm's estimate of `1 / x`.
@inline(__always)
private func reciprocalOfArm(_ x: FloatVector) -> FloatVector {
  let two = FloatVector(repeating: 2)
  var quotient = estimateOfReciprocal(x)
  quotient = quotient * FusedMultiplyAdd.multiplyAdd(two, negated(quotient), x)
  return quotient * FusedMultiplyAdd.multiplyAdd(two, negated(quotient), x)
}

/// Returns the estimate of `1 / x` by the instruction FRECPE, of positive normal numbers, as the
/// Arm Architecture Reference Manual defines it: eight bits of the reciprocal of the middle of an
/// interval of 1/256.
@inline(__always)
private func estimateOfReciprocal(_ x: FloatVector) -> FloatVector {
  let bits = integerBits(x)
  let interval = ((bits &>> 15) & SumVector(repeating: 0xFF)) | SumVector(repeating: 0x100)
  let middle = (interval &<< 1) | SumVector(repeating: 1)
  // The quotients lie between 512 and 1023, and no rounding reaches the next integer.
  let quotient = truncated(FloatVector(repeating: 0x1p19) / floats(middle))
  let steps = (quotient &+ SumVector(repeating: 1)) &>> 1
  let exponents = SumVector(repeating: 0x7F00_0000) &- (bits & SumVector(repeating: 0x7F80_0000))
  return floats(steps) * FloatVector(repeating: 0x1p-9)
    * unsafeBitCast(exponents, to: FloatVector.self)
}

/// Returns `x < 0 ? exp(x) - 1 : x`, with the power of two in sixteenths of an octave.
@inline(__always)
private func exponentialLinearOfArmXNNPACK(
  _ x: FloatVector, _ powers: UnsafeRawPointer
) -> FloatVector {
  let z = maximum(FloatVector(repeating: leastOfExponentialLinear), x)
  let shifter = FloatVector(repeating: 0x1.8p19)
  let shifted = FusedMultiplyAdd.multiplyAdd(shifter, z, FloatVector(repeating: binaryLogarithmOfE))
  let t = FusedMultiplyAdd.multiplyAdd(
    z, shifted - shifter, FloatVector(repeating: -0x1.62E430p-1))
  let sum = FusedMultiplyAdd.multiplyAdd(
    FloatVector(repeating: 0x1.0001ECp-1), FloatVector(repeating: 0x1.55561Cp-3), t)
  let sixteenths = unsafeBitCast(integerBits(shifted) &<< 2, to: FloatVector.self)
  let scale = sixtyFourthsOfOctaves(sixteenths, powers)
  // Zero is no negative number, whatever its sign.
  let choice = unsafeBitCast(asLanes(x .< FloatVector.zero), to: FloatVector.self)
  return select(choice, exponentialLinear(z, sum * t, t, scale: scale), x)
}

@inline(never)
func mapLogisticOfArmXNNPACK(_ row: ElementRow) {
  withSixtyFourthsOfOctaves { powers in
    @inline(__always)
    func function(_ x: FloatVector) -> FloatVector { logisticOfArmXNNPACK(x, powers) }
    map(row, function)
  }
}

@inline(never)
func mapSigmoidLinearOfArmXNNPACK(_ row: ElementRow) {
  withSixtyFourthsOfOctaves { powers in
    @inline(__always)
    func function(_ x: FloatVector) -> FloatVector { x * logisticOfArmXNNPACK(x, powers) }
    map(row, function)
  }
}

@inline(never)
func mapExponentialLinearOfArmXNNPACK(_ row: ElementRow) {
  withSixtyFourthsOfOctaves { powers in
    @inline(__always)
    func function(_ x: FloatVector) -> FloatVector { exponentialLinearOfArmXNNPACK(x, powers) }
    map(row, function)
  }
}
