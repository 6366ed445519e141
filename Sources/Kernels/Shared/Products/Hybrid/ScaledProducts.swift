import OcellusKernelABI

var scaledProducts: ScaledProducts {
  ScaledProducts(panelColumns: FloatVector.scalarCount) { run($0) }
}

private let vectorBytes = MemoryLayout<FloatVector>.size

private func run(_ arguments: ScaledProductArguments) {
  let lanes = FloatVector.scalarCount
  var column = 0
  while column < arguments.columns {
    let vectors = (arguments.columns &- column &+ lanes &- 1) / lanes
    if vectors >= 4 {
      compute(arguments, column, Four.self)
      column &+= 4 &* lanes
    } else if vectors >= 2 {
      compute(arguments, column, Two.self)
      column &+= 2 &* lanes
    } else {
      compute(arguments, column, One.self)
      column &+= lanes
    }
  }
}

/// Computes some vectors of columns.
@inline(never)
private func compute<Vectors: Literal>(
  _ arguments: ScaledProductArguments, _ column: Int, _: Vectors.Type
) {
  let columns = ScaledColumns<Vectors>(arguments, column)
  let rowBytes = roundUp(arguments.columns, to: FloatVector.scalarCount) &* 4
  var (s0, s1) = (FloatVector.zero, FloatVector.zero)
  var (s2, s3) = (s0, s1)
  for index in 0..<arguments.runs.count {
    let run = arguments.runs[index]
    var input = arguments.input + run.input
    var weights = UnsafeRawPointer(arguments.weights) + (run.weightRow &* rowBytes &+ column &* 4)
    for _ in 0..<arguments.runLength {
      let steps = Int32(input.pointee) &- arguments.rounding.zeroPoint
      let x = FloatVector(repeating: Float(steps))
      s0 += x * loadFloats(weights) * columns.f0 * columns.scale
      if Vectors.value > 1 {
        s1 += x * loadFloats(weights + vectorBytes) * columns.f1 * columns.scale
      }
      if Vectors.value > 2 {
        s2 += x * loadFloats(weights + 2 &* vectorBytes) * columns.f2 * columns.scale
        s3 += x * loadFloats(weights + 3 &* vectorBytes) * columns.f3 * columns.scale
      }
      input += 1
      weights += rowBytes
    }
  }
  columns.finish(s0, 0)
  if Vectors.value > 1 { columns.finish(s1, 1) }
  if Vectors.value > 2 {
    columns.finish(s2, 2)
    columns.finish(s3, 3)
  }
}

/// What is known of some vectors of columns.
private struct ScaledColumns<Vectors: Literal> {
  let f0, f1, f2, f3: FloatVector
  let scale: FloatVector
  private let arguments: ScaledProductArguments
  private let column: Int

  @inline(__always)
  init(_ arguments: ScaledProductArguments, _ column: Int) {
    let factors = UnsafeRawPointer(arguments.scales + column)
    f0 = loadFloats(factors)
    f1 = Vectors.value > 1 ? loadFloats(factors + vectorBytes) : f0
    f2 = Vectors.value > 2 ? loadFloats(factors + 2 &* vectorBytes) : f0
    f3 = Vectors.value > 2 ? loadFloats(factors + 3 &* vectorBytes) : f0
    scale = FloatVector(repeating: arguments.rounding.scale)
    self.arguments = arguments
    self.column = column
  }

  /// Adds the bias to the sums of a vector, clamps and stores what lies in the output.
  @inline(__always)
  func finish(_ sums: FloatVector, _ vector: Int) {
    let first = column &+ vector &* FloatVector.scalarCount
    let result = clamp(
      sums + loadFloats(UnsafeRawPointer(arguments.bias + first)),
      FloatVector(repeating: arguments.minimum), FloatVector(repeating: arguments.maximum))
    let output = arguments.output + first &* 4
    let left = arguments.columns &- first
    if left >= FloatVector.scalarCount {
      store(result, to: output)
    } else {
      storeLanes(result, count: left, to: output)
    }
  }
}
