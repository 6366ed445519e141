import OcellusKernelABI

func stepIntegerLSTM(_ arguments: IntegerLSTMArguments) {
  let scales = arguments.scales.pointee
  var cell = 0
  while cell < arguments.stride {
    let inputs = UnsafeRawPointer(arguments.inputSums + cell)
    let states = UnsafeRawPointer(arguments.stateSums + cell)
    let gateBytes = arguments.stride &* 4
    let forget = fixedPointLogistic(
      gateSum(inputs + gateBytes, states + gateBytes, scales.input.1, scales.state.1))
    let candidate = fixedPointTanh(
      gateSum(
        inputs + 2 &* gateBytes, states + 2 &* gateBytes, scales.input.2, scales.state.2),
      integerBits: 3)
    var inputGate = SumVector(repeating: 32767) &- forget
    if scales.hasInputGate {
      inputGate = fixedPointLogistic(gateSum(inputs, states, scales.input.0, scales.state.0))
    }
    let output = fixedPointLogistic(
      gateSum(
        inputs + 3 &* gateBytes, states + 3 &* gateBytes, scales.input.3, scales.state.3))

    let address = UnsafeMutableRawPointer(arguments.states + cell)
    let kept = roundingShiftRight(forget &* loadSums(address), 15)
    let inputShift = Int32(truncatingIfNeeded: 15 &+ scales.stateIntegerBits)
    let added = roundingShiftRight(inputGate &* candidate, inputShift)
    let limit = SumVector(repeating: scales.stateLimit)
    let state = maximum(minimum(saturated(kept &+ added), limit), SumVector() &- limit)
    store(state, to: address)

    let activated = fixedPointTanh(state, integerBits: scales.stateIntegerBits)
    let scaled = FixedPointScale(scales.output)(output &* activated)
    let shifted = scaled &+ SumVector(repeating: scales.outputZeroPoint)
    let bytes = minimum(
      maximum(shifted, SumVector(repeating: -128)), SumVector(repeating: 127))
    storeBytes(bytes, to: UnsafeMutableRawPointer(arguments.output + cell))
    cell &+= SumVector.scalarCount
  }
}

/// Returns the pre-activation of a gate with three integer bits, scaled and saturated in two steps.
@inline(__always)
private func gateSum(
  _ inputSums: UnsafeRawPointer, _ stateSums: UnsafeRawPointer, _ input: FixedPointFactor,
  _ state: FixedPointFactor
) -> SumVector {
  let fromInput = saturated(FixedPointScale(input)(loadSums(inputSums)))
  return saturated(FixedPointScale(state)(loadSums(stateSums)) &+ fromInput)
}
