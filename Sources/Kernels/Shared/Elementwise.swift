import OcellusKernelABI

var elementwise: Elementwise {
  Elementwise(
    add: { map($0) { $0 + $1 } }, subtract: { map($0) { $0 - $1 } },
    multiply: { map($0) { $0 * $1 } },
    maximum: { map($0) { maximum($0, $1) } }, minimum: { map($0) { minimum($0, $1) } },
    clamp: clampFloats, lookUp: lookUp)
}

/// Applies a function of vectors to two arrays; what does not fill a vector goes through one.
@inline(__always)
private func map(
  _ arguments: BinaryFloatArguments, _ function: (FloatVector, FloatVector) -> FloatVector
) {
  let low = FloatVector(repeating: arguments.lowerBound)
  let high = FloatVector(repeating: arguments.upperBound)
  let first = UnsafeRawPointer(arguments.first), second = UnsafeRawPointer(arguments.second)
  let output = UnsafeMutableRawPointer(arguments.output)
  let scalar = FloatVector(repeating: arguments.secondIsScalar ? arguments.second.pointee : 0)
  forEachVector(count: arguments.count) { offset, lanes in
    let x = loadFloats(first, at: offset, lanes: lanes)
    let y =
      arguments.secondIsScalar ? scalar : loadFloats(second, at: offset, lanes: lanes)
    storeFloats(clamp(function(x, y), low, high), to: output, at: offset, lanes: lanes)
  }
}

private func clampFloats(_ arguments: ClampFloatArguments) {
  let low = FloatVector(repeating: arguments.lowerBound)
  let high = FloatVector(repeating: arguments.upperBound)
  let input = UnsafeRawPointer(arguments.input)
  let output = UnsafeMutableRawPointer(arguments.output)
  forEachVector(count: arguments.count) { offset, lanes in
    let x = loadFloats(input, at: offset, lanes: lanes)
    storeFloats(clamp(x, low, high), to: output, at: offset, lanes: lanes)
  }
}

private func lookUp(_ arguments: LookUpArguments) {
  for index in 0..<arguments.count {
    arguments.output[index] = arguments.table[Int(arguments.input[index])]
  }
}

/// Visits whole vectors of floats, then the rest: byte offsets and lanes.
@inline(__always)
private func forEachVector(count: Int, _ body: (_ offset: Int, _ lanes: Int) -> Void) {
  let lanes = FloatVector.scalarCount
  var index = 0
  while index &+ lanes <= count {
    body(index &* 4, lanes)
    index &+= lanes
  }
  if index < count { body(index &* 4, count &- index) }
}

@inline(__always)
private func loadFloats(_ address: UnsafeRawPointer, at offset: Int, lanes: Int) -> FloatVector {
  if lanes == FloatVector.scalarCount { return loadFloats(address + offset) }
  var vector = FloatVector.zero
  for lane in 0..<lanes {
    vector[lane] = loadFloat(address + (offset &+ lane &* 4))
  }
  return vector
}

@inline(__always)
private func storeFloats(
  _ vector: FloatVector, to address: UnsafeMutableRawPointer, at offset: Int, lanes: Int
) {
  if lanes == FloatVector.scalarCount { return store(vector, to: address + offset) }
  for lane in 0..<lanes {
    store(vector[lane], to: address + (offset &+ lane &* 4))
  }
}
