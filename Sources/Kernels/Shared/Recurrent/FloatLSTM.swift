import OcellusKernelABI

func stepFloatLSTM(_ arguments: FloatLSTMArguments) {
  let one = FloatVector(repeating: 1)
  let limit = FloatVector(repeating: arguments.stateLimit)
  let gateBytes = arguments.stride &* 4
  var cell = 0
  while cell < arguments.stride {
    let inputs = UnsafeRawPointer(arguments.inputSums + cell)
    let states = UnsafeRawPointer(arguments.stateSums + cell)
    let forget = logistic(loadFloats(inputs + gateBytes) + loadFloats(states + gateBytes))
    let candidate = tanh(
      loadFloats(inputs + 2 &* gateBytes) + loadFloats(states + 2 &* gateBytes))
    let output = logistic(
      loadFloats(inputs + 3 &* gateBytes) + loadFloats(states + 3 &* gateBytes))
    var inputGate = one - forget
    if arguments.hasInputGate { inputGate = logistic(loadFloats(inputs) + loadFloats(states)) }

    let address = UnsafeMutableRawPointer(arguments.states + cell)
    let sum = loadFloats(address) * forget + candidate * inputGate
    let state = clamp(sum, FloatVector.zero - limit, limit)
    store(state, to: address)
    store(tanh(state) * output, to: UnsafeMutableRawPointer(arguments.output + cell))
    cell &+= FloatVector.scalarCount
  }
}
