import OcellusModelFile

/// aeq.hadamard_rotation: multiplies rows by an orthogonal matrix of scaled ones and minus ones.
///
/// This is a custom operator that quantizers insert before matrix multiplications to spread
/// outliers.
package struct HadamardRotation: Operator {
  package static let definition = OperatorDefinition(
    "aeq.hadamard_rotation", types: [.float32],
    make: { node throws(ModelError) in try Self(node) })

  /// The order of the matrix: a power of two.
  private let size: Int

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(1)
    try node.require(try node.output(0), .float32)
    size = Int(try node.flexOptions()["hadamard_size"].integer)
    try node.require(
      size > 0 && size & (size - 1) == 0, "hadamard_size is \(size), not a power of two")
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require((2...3).contains(shape.rank), "the input must have 2 or 3 dimensions")
    return [shape]
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    saturatingProduct(context.shape(0).elementCount, size.trailingZeroBitCount)
  }

  /// Transforms blocks of each row; elements after the last whole block are copied.
  package func run(_ context: RunContext) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    input.copyBytes(to: output)
    let values = output.values(Float.self)
    let rowCount = output.shape.product(of: 0..<output.shape.rank - 1)
    let scale = Float(1 / Double(size).squareRoot())
    let work = saturatingProduct(size, size.trailingZeroBitCount + 1)
    let blockCount = rowCount * (output.shape[-1] / size)
    for chunk in context.chunks(of: blockCount, workOfEach: work) {
      for block in chunk {
        Self.transform(
          Row(rebasing: values[block * size..<(block + 1) * size]), scale: scale, context)
      }
    }
  }

  /// Computes the fast Walsh–Hadamard transform.
  private static func transform(_ values: Row<Float>, scale: Float, _ context: RunContext) {
    var half = 1
    while half < values.count {
      for blocks in context.chunks(of: values.count / (2 * half), workOfEach: 2 * half) {
        for block in blocks {
          let start = block * 2 * half
          forEachChunk(of: half, workOfEach: 2, context.control) { chunk in
            for index in start + chunk.lowerBound..<start + chunk.upperBound {
              let (a, b) = (values[index], values[index + half])
              (values[index], values[index + half]) = (a + b, a - b)
            }
          }
        }
      }
      half *= 2
    }
    forEachChunk(of: values.count, context.control) { chunk in
      for index in chunk { values[index] *= scale }
    }
  }
}
