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
    let range = Int32(Stored.min)...Int32(Stored.max)
    input.forEachRow(with: output) { (row: Row<Stored>, results: Row<Stored>) in
      guard let greatest = row.folded(from: Stored.min, input.control, { max($0, $1) }) else {
        return
      }
      var sum: Float = 0
      for chunk in input.chunks(of: row.count, workOfEach: 4) {
        for index in chunk { sum += exponential(row[index], below: greatest) }
      }
      let factor = 1 / (sum * outputScale)
      for chunk in input.chunks(of: row.count, workOfEach: 4) {
        for index in chunk {
          let steps = exponential(row[index], below: greatest) * factor + 0.5
          results[index] = Stored(
            truncatingIfNeeded: (Int32(steps.clamped(to: 0...512)) &+ zeroPoint).clamped(to: range))
        }
      }
    }
  }

  @inline(__always)
  private func exponential<Stored: FixedWidthInteger>(
    _ element: Stored, below greatest: Stored
  ) -> Float {
    exponentials[Int(greatest) &- Int(element)]
  }
}
