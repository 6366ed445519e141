import OcellusKernelABI

var scaledProducts: ScaledProducts {
  ScaledProducts(panelColumns: FloatVector.scalarCount) { run($0) }
}

/// Computes up to four vectors of columns at a time, for as many pixels as fit the registers.
private func run(_ arguments: ScaledProductArguments) {
  let lanes = FloatVector.scalarCount
  var column = 0
  while column < arguments.columns {
    let vectors = (arguments.columns &- column &+ lanes &- 1) / lanes
    switch vectors {
    case 1: compute(arguments, column, One.self, Four.self)
    case 2: compute(arguments, column, Two.self, Four.self)
    case 3: compute(arguments, column, Three.self, Two.self)
    default: compute(arguments, column, Four.self, Two.self)
    }
    column &+= smaller(vectors, 4) &* lanes
  }
}

@inline(never)
private func compute<Vectors: Literal, Pixels: Literal>(
  _ arguments: ScaledProductArguments, _ column: Int, _: Vectors.Type, _ pixels: Pixels.Type
) {
  let columns = ScaledColumns<Vectors>(arguments, column)
  var pixel = 0
  while arguments.pixels &- pixel >= Pixels.value {
    columns.compute(pixel, pixels)
    pixel &+= Pixels.value
  }
  while pixel < arguments.pixels {
    columns.compute(pixel, One.self)
    pixel &+= 1
  }
}

/// The computation of one to four vectors of columns.
private struct ScaledColumns<Vectors: Literal> {
  private let arguments: ScaledProductArguments
  private let column: Int
  /// The scales of each column's products, and the scale of all products.
  private let factors: UnsafeRawPointer
  private let scale: FloatVector

  @inline(__always)
  init(_ arguments: ScaledProductArguments, _ column: Int) {
    self.arguments = arguments
    self.column = column
    factors = UnsafeRawPointer(arguments.scales + column)
    scale = FloatVector(repeating: arguments.scale)
  }

  /// Computes one, two or four pixels, whose sums are independent of each other.
  @inline(__always)
  func compute<Pixels: Literal>(_ pixel: Int, _: Pixels.Type) {
    let rowBytes = roundUp(arguments.columns, to: FloatVector.scalarCount) &* 4
    let stride = arguments.inputStride &* 4
    var a = Quartet(repeating: 0)
    var (b, c, d) = (a, a, a)
    for index in 0..<arguments.runs.count {
      let run = arguments.runs[index]
      var input = UnsafeRawPointer(arguments.input + run.input) + pixel &* stride
      var weights =
        UnsafeRawPointer(arguments.weights) + (run.weightRow &* rowBytes &+ column &* 4)
      for _ in 0..<arguments.runLength {
        add(input, weights, to: &a)
        if Pixels.value > 1 { add(input + stride, weights, to: &b) }
        if Pixels.value > 2 {
          add(input + 2 &* stride, weights, to: &c)
          add(input + 3 &* stride, weights, to: &d)
        }
        input += 4
        weights += rowBytes
      }
    }
    applyEpilogue(a, pixel)
    if Pixels.value > 1 { applyEpilogue(b, pixel &+ 1) }
    if Pixels.value > 2 {
      applyEpilogue(c, pixel &+ 2)
      applyEpilogue(d, pixel &+ 3)
    }
  }

  /// Adds the products of one input element.
  @inline(__always)
  private func add(
    _ number: UnsafeRawPointer, _ weights: UnsafeRawPointer, to sums: inout Quartet
  ) {
    let x = FloatVector(repeating: loadFloat(number))
    @inline(__always)
    func product(_ vector: Int) -> FloatVector {
      let offset = vector &* sumVectorBytes
      return x * loadFloats(weights + offset) * loadFloats(factors + offset) * scale
    }
    sums.a += product(0)
    if Vectors.value > 1 { sums.b += product(1) }
    if Vectors.value > 2 { sums.c += product(2) }
    if Vectors.value > 3 { sums.d += product(3) }
  }

  /// Adds the biases to the sums of a pixel, clamps the results and stores the columns that exist.
  @inline(__always)
  private func applyEpilogue(_ sums: Quartet, _ pixel: Int) {
    write(sums.a, 0, pixel)
    if Vectors.value > 1 { write(sums.b, 1, pixel) }
    if Vectors.value > 2 { write(sums.c, 2, pixel) }
    if Vectors.value > 3 { write(sums.d, 3, pixel) }
  }

  @inline(__always)
  private func write(_ sums: FloatVector, _ vector: Int, _ pixel: Int) {
    let first = column &+ vector &* FloatVector.scalarCount
    let result = clamp(
      sums + loadFloats(UnsafeRawPointer(arguments.bias + first)),
      FloatVector(repeating: arguments.minimum), FloatVector(repeating: arguments.maximum))
    let output = arguments.output + (pixel &* arguments.outputStride &+ first) &* 4
    let left = arguments.columns &- first
    if left >= FloatVector.scalarCount {
      store(result, to: output)
    } else {
      storeLanes(result, count: left, to: output)
    }
  }
}
