import OcellusKernelABI

// The approximations of XNNPACK's micro-kernels for AVX-512 that differ from those for AVX2.

/// The function `1 / (1 + exp(-x))` with the power of two in parts of 1/32 octave.
private struct LogisticOfWideXNNPACK {
  private let roots: UnsafeRawPointer

  @inline(__always)
  init(roots: UnsafeRawPointer) { self.roots = roots }

  @inline(__always)
  func callAsFunction(_ x: FloatVector) -> FloatVector {
    let z = negativeMagnitude(x)
    let shifter = FloatVector(repeating: 0x1.8p18)
    let shifted = FusedMultiplyAdd.multiplyAdd(
      shifter, z, FloatVector(repeating: binaryLogarithmOfE))
    let steps = shifted - shifter
    let high = FusedMultiplyAdd.multiplyAdd(z, steps, FloatVector(repeating: -0x1.62E430p-1))
    let t = FusedMultiplyAdd.multiplyAdd(high, steps, FloatVector(repeating: 0x1.05C61p-29))
    let sum = FusedMultiplyAdd.multiplyAdd(
      FloatVector(repeating: 0x1.0000F6p-0), t, FloatVector(repeating: 0x1.000000p-1))
    let root = root(of: shifted)
    let power = FusedMultiplyAdd.multiplyAdd(root, t * root, sum)
    let one = FloatVector(repeating: 1)
    let exponential = scaled(power, by: shifted, steps)
    let low = exponential / (exponential + one)
    return select(integerBits(x), low, one - low)
  }

  /// Returns 2^(index / 32) for the index in the lowest five bits.
  @inline(__always)
  private func root(of shifted: FloatVector) -> FloatVector {
    let bits = integerBits(shifted)
    var root = FloatVector.zero
    for lane in 0..<FloatVector.scalarCount {
      let index = UInt64(truncatingIfNeeded: bits[lane] & 31)
      let entry = roots.loadUnaligned(fromByteOffset: Int(index) &* 8, as: UInt64.self)
      root[lane] = Float(Double(bitPattern: entry &+ index &<< 47))
    }
    return root
  }

  /// Multiplies by the power of two above the lowest five bits; subnormal results become zero.
  @inline(__always)
  private func scaled(
    _ power: FloatVector, by shifted: FloatVector, _ steps: FloatVector
  ) -> FloatVector {
    let exponents = (integerBits(shifted) &>> 5) &+ SumVector(repeating: 127)
    let product = power * unsafeBitCast(exponents &<< 23, to: FloatVector.self)
    let isTiny = asLanes(steps .< FloatVector(repeating: -126))
    return unsafeBitCast(asLanes(product) & ~isTiny, to: FloatVector.self)
  }
}

@inline(never)
func mapLogisticOfWideXNNPACK(_ row: ElementRow, roots: UnsafeRawPointer) {
  let logistic = LogisticOfWideXNNPACK(roots: roots)
  @inline(__always)
  func function(_ x: FloatVector) -> FloatVector { logistic(x) }
  map(row, function)
}

@inline(never)
func mapSigmoidLinearOfWideXNNPACK(_ row: ElementRow, roots: UnsafeRawPointer) {
  let logistic = LogisticOfWideXNNPACK(roots: roots)
  @inline(__always)
  func function(_ x: FloatVector) -> FloatVector { x * logistic(x) }
  map(row, function)
}

/// Returns the logarithm, which is infinity or NaN where the raised argument is.
@inline(__always)
func logarithmOfWideXNNPACK<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  raisedByHalfAnOctave(x).zip(logarithmOfXNNPACK(x)) { raised, logarithm in
    let isFinite = asLanes(raised .< FloatVector(repeating: .infinity))
    return select(isFinite, logarithm, raised)
  }
}

/// Returns `x < 0 ? exp(x) - 1 : x`, with a polynomial of the sixth degree.
@inline(__always)
func exponentialLinearOfWideXNNPACK<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let z = maximum(Lanes(repeating: leastOfExponentialLinear), x)
  let shifter = Lanes(repeating: exponentShifter)
  let shifted = FusedMultiplyAdd.multiplyAdd(shifter, z, Lanes(repeating: binaryLogarithmOfE))
  let t = FusedMultiplyAdd.multiplyAdd(z, shifted - shifter, Lanes(repeating: -0x1.62E430p-1))
  let sum = polynomial(
    t, 0x1.6B7338p-10, 0x1.12278Ep-7, 0x1.555716p-5, 0x1.5554B0p-3, 0x1.FFFFFEp-2)
  return exponentialLinear(x, sum * t, t, scale: asExponents(shifted))
}
