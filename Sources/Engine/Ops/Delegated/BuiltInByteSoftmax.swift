import OcellusKernelABI
import OcellusModelFile
import OcellusPlatform

/// SOFTMAX of bytes as LiteRT's built-in kernel computes it, since the delegate does not take it.
///
/// It adds exponentials from a table in single precision.
struct BuiltInByteSoftmax: Operator {
  /// The exponentials by the distance from the greatest element of a row.
  private let exponentials: [Float]
  private let outputScale: Float
  private let zeroPoint: Int32

  /// - Returns: `nil` for other types.
  init?(_ node: NodeSpec) throws(ModelError) {
    let (input, output) = (try node.input(0), try node.output(0))
    guard input.type == output.type, input.type == .int8 || input.type == .uint8 else {
      return nil
    }
    let (source, target) = (try node.affineScale(of: input), try node.affineScale(of: output))
    let beta = try node.options(BuiltinOptionsTag.softmax).float(0)
    let factor = -source.scale * beta
    exponentials = (0..<256).map { expf(factor * Float($0)) }
    outputScale = target.scale
    zeroPoint = Int32(target.zeroPoint)
  }

  func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(shape.rank >= 1, "a scalar has no axis to take the softmax over")
    return [shape]
  }

  func plan(_ context: PlanContext) -> Step? {
    context.node.outputs[0].type == .int8 ? step(context, Int8.self) : step(context, UInt8.self)
  }

  /// Returns a step that computes rows of two elements with a table of both results, by their
  /// difference.
  private func step<Stored: FixedWidthInteger & BitwiseCopyable & Sendable>(
    _ context: PlanContext, _: Stored.Type
  ) -> Step? {
    let shape = context.outputShapes[0]
    let length = shape[-1]
    let pairs: [(greater: Stored, lesser: Stored)] = (0..<256).map { difference in
      let factor = factor(exponentials[0] + exponentials[difference])
      return (
        result(exponentials[0] * factor, Stored.self),
        result(exponentials[difference] * factor, Stored.self)
      )
    }
    return .rows(of: shape, "softmax \(context.node.outputs[0].type.name)", context) {
      step, rows, _ in
      let first = rows.lowerBound * length
      let source = step.input(0).assumingMemoryBound(to: Stored.self) + first
      let target = step.output(0).assumingMemoryBound(to: Stored.self) + first
      if length == 2 {
        for row in 0..<rows.count {
          let (a, b) = (source[2 &* row], source[2 &* row &+ 1])
          let pair = pairs[Int(max(a, b)) &- Int(min(a, b))]
          target[2 &* row] = a < b ? pair.lesser : pair.greater
          target[2 &* row &+ 1] = a < b ? pair.greater : pair.lesser
        }
        return
      }
      for row in 0..<rows.count {
        run(source + row &* length, target + row &* length, count: length)
      }
    }
  }

  func run(_ context: RunContext) {
    let (input, output) = (context.input(0), context.output(0))
    if input.type == .int8 {
      run(input, output, Int8.self)
    } else {
      run(input, output, UInt8.self)
    }
  }

  private func run<Stored: FixedWidthInteger & BitwiseCopyable>(
    _ input: TensorView, _ output: TensorView, _: Stored.Type
  ) {
    input.forEachRow(with: output) { (row: Row<Stored>, results: Row<Stored>) in
      guard let greatest = row.folded(from: Stored.min, input.control, { max($0, $1) }) else {
        return
      }
      var sum: Float = 0
      for chunk in input.chunks(of: row.count, workOfEach: 4) {
        for index in chunk { sum += exponential(row[index], below: greatest) }
      }
      let factor = factor(sum)
      for chunk in input.chunks(of: row.count, workOfEach: 4) {
        for index in chunk {
          results[index] = result(
            exponential(row[index], below: greatest) * factor, Stored.self)
        }
      }
    }
  }

  /// Computes a short row.
  private func run<Stored: FixedWidthInteger & BitwiseCopyable>(
    _ row: UnsafePointer<Stored>, _ results: UnsafeMutablePointer<Stored>, count: Int
  ) {
    var greatest = Stored.min
    for index in 0..<count { greatest = max(greatest, row[index]) }
    var sum: Float = 0
    for index in 0..<count { sum += exponential(row[index], below: greatest) }
    let factor = factor(sum)
    for index in 0..<count {
      results[index] = result(exponential(row[index], below: greatest) * factor, Stored.self)
    }
  }

  @inline(__always)
  private func exponential<Stored: FixedWidthInteger>(
    _ element: Stored, below greatest: Stored
  ) -> Float {
    exponentials[Int(greatest) &- Int(element)]
  }

  /// Returns the factor that turns exponentials into steps of the output.
  @inline(__always)
  private func factor(_ sum: Float) -> Float { 1 / (sum * outputScale) }

  @inline(__always)
  private func result<Stored: FixedWidthInteger>(_ steps: Float, _: Stored.Type) -> Stored {
    // NaN, which extreme factors lead to, becomes zero.
    let rounded = steps + 0.5
    let whole = rounded > 0 ? Int32(min(rounded, 512)) : 0
    return Stored(
      truncatingIfNeeded: (whole &+ zeroPoint).clamped(
        to: Int32(Stored.min)...Int32(Stored.max)))
  }
}
