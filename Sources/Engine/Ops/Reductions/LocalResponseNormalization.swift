import OcellusKernelABI
import OcellusModelFile
import OcellusPlatform

/// LOCAL_RESPONSE_NORMALIZATION: elements divided by a power of the squares in nearby channels.
package struct LocalResponseNormalization: Operator {
  package static let definition = OperatorDefinition(
    "LOCAL_RESPONSE_NORMALIZATION", types: [.float32],
    make: { node throws(ModelError) in try Self(node) })

  private let radius: Int
  private let bias: Float
  private let alpha: Float
  private let beta: Float

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(1)
    try node.require(try node.output(0), .float32)
    let options = node.options(BuiltinOptionsTag.localResponseNormalization)
    radius = try options.integer(0)
    bias = try options.float(1)
    alpha = try options.float(2)
    beta = try options.float(3)
    try node.require(radius >= 0, "the radius is \(radius)")
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(shape.rank == 4, "the input must have 4 dimensions")
    return [shape]
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    let shape = context.shape(0)
    return saturatingProduct(shape.elementCount, min(2 * radius + 1, shape[-1]))
  }

  /// Sums over windows with both ends, as in the official default kernel.
  ///
  /// The official reference kernel omits the last channel.
  package func run(_ context: RunContext) throws(ModelError) {
    context.input(0).forEachRow(with: context.output(0)) { (row: Row<Float>, results: Row<Float>) in
      // A power takes as long as several neighbours.
      let work = min(2 * radius + 1, row.count) + 16
      for chunk in context.chunks(of: row.count, workOfEach: work) {
        for channel in chunk {
          let first = max(channel - radius, 0)
          let last = min(channel + radius, row.count - 1)
          var sum: Float = 0
          for neighbors in context.chunks(of: last - first + 1) {
            for neighbor in neighbors {
              sum += row[first + neighbor] * row[first + neighbor]
            }
          }
          results[channel] = row[channel] * powf(bias + alpha * sum, -beta)
        }
      }
    }
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    // Powers are computed by logarithms, which only positive numbers have.
    guard context.numerics == .fast, alpha >= 0, bias > 0 else { return nil }
    let shape = context.outputShapes[0]
    let blocks = LocalResponseKernels(
      channels: shape[-1], reach: min(radius, shape[-1] - 1), bias: bias, alpha: alpha,
      exponent: -beta, kernels: context.kernels.elementwise)
    return .rows(
      of: shape, "local response normalization float32 \(context.kernels.name)",
      scratchByteCount: blocks.scratchByteCount, context
    ) { step, rows, scratch in
      let start = rows.lowerBound * shape[-1] * 4
      blocks.run(
        step.input(0) + start, to: step.output(0) + start, rowCount: rows.count,
        scratch: scratch.assumingMemoryBound(to: Float.self), step.workers)
    }
  }
}

/// Local response normalization by kernels, some rows at a time.
///
/// The squares are stored with zeros between the rows, so neighbours are added as shifted arrays.
private struct LocalResponseKernels: Sendable {
  let channels: Int
  /// The neighbours on each side.
  let reach: Int
  let bias, alpha, exponent: Float
  let kernels: Elementwise

  private var stride: Int { channels + reach }
  private var rowsPerCall: Int { max(1, 2048 / stride) }
  private var squareCount: Int { rowsPerCall * stride + 2 * reach }
  var scratchByteCount: Int { ArenaPlanner.aligned((squareCount + rowsPerCall * stride) * 4) }

  func run(
    _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, rowCount: Int,
    scratch squares: UnsafeMutablePointer<Float>, _ workers: WorkersReference
  ) {
    squares.update(repeating: 0, count: squareCount)
    let sums = squares + squareCount
    workers.forEachSlice(of: 0..<rowCount, length: rowsPerCall) { rows in
      let offset = rows.lowerBound * channels * 4
      addSquares(input + offset, rowCount: rows.count, squares, to: sums, workers)
      normalize(input + offset, rowCount: rows.count, by: sums, to: output + offset)
    }
  }

  private func addSquares(
    _ input: UnsafeRawPointer, rowCount: Int, _ squares: UnsafeMutablePointer<Float>,
    to sums: UnsafeMutablePointer<Float>, _ workers: WorkersReference
  ) {
    for row in 0..<rowCount {
      kernels.mappedFloats(
        .square,
        ElementRow(
          input: input + row * channels * 4, output: squares + (reach + row * stride),
          count: channels))
    }
    let count = rowCount * stride
    sums.update(from: squares, count: count)
    let shiftsAtOnce = max(Step.longestSlice / count, 1)
    workers.forEachSlice(of: 0..<2 * reach, length: shiftsAtOnce) { shifts in
      for shift in shifts {
        kernels.floats(
          .add, FloatRange(),
          BinaryRows(first: sums, second: squares + (shift + 1), output: sums, rowLength: count))
      }
    }
  }

  /// Multiplies by `(bias + alpha · sum) ^ exponent`.
  private func normalize(
    _ input: UnsafeRawPointer, rowCount: Int, by sums: UnsafeMutablePointer<Float>,
    to output: UnsafeMutableRawPointer
  ) {
    let count = rowCount * channels
    func combine(_ function: BinaryFloatFunction, with number: Float) {
      withUnsafePointer(to: number) { number in
        kernels.floats(
          function, FloatRange(),
          BinaryRows(
            first: output, second: number, output: output, rowLength: count, secondIsScalar: true))
      }
    }
    let powers = ElementRow(input: output, output: output, count: count)
    for row in 0..<rowCount {
      (output + row * channels * 4).copyMemory(from: sums + row * stride, byteCount: channels * 4)
    }
    combine(.multiply, with: alpha)
    combine(.add, with: bias)
    kernels.mappedFloats(.logarithm(.fast), powers)
    combine(.multiply, with: exponent)
    kernels.mappedFloats(.exponential(.fast), powers)
    kernels.floats(
      .multiply, FloatRange(),
      BinaryRows(first: output, second: input, output: output, rowLength: count))
  }
}
