import OcellusPlatform

/// RANDOM_UNIFORM and RANDOM_STANDARD_NORMAL: a tensor of independent random numbers.
package struct RandomFill: Operator {
  package static let uniform = define("RANDOM_UNIFORM", .uniform)
  package static let standardNormal = define("RANDOM_STANDARD_NORMAL", .standardNormal)

  private enum Distribution {
    /// Uniform in [0, 1).
    case uniform
    /// Normal with mean 0 and standard deviation 1.
    case standardNormal
  }

  package let shapeInputs = [0]
  package let traits: OperatorTraits = .stateful
  private let distribution: Distribution
  private let source: RandomSource

  private static func define(_ name: String, _ distribution: Distribution) -> OperatorDefinition {
    OperatorDefinition(name, types: [.int32]) { node throws(ModelError) in
      try node.requireAllOperands(1)
      try node.require(try node.output(0), .float32)
      return Self(distribution: distribution, source: try RandomSource(node))
    }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    try context.require(context.shape(0).rank == 1, "the shape must be a list")
    return [Shape(try context.integers(0))]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let values = context.output(0).values(Float.self)
    let position = source.sequence(context)
    for chunk in context.chunks(of: (values.count + 3) / 4, workOfEach: 64) {
      for block in chunk {
        let (start, bits) = (4 * block, position.sequence.next())
        let numbers =
          distribution == .uniform
          ? bits.mapLanes { Float(randomBits: $0) }
          : SIMD4(lowHalf: Self.normals(bits.lowHalf), highHalf: Self.normals(bits.highHalf))
        for lane in 0..<min(4, values.count - start) { values[start + lane] = numbers[lane] }
      }
    }
  }

  /// Computes two normally distributed numbers by the Box–Muller transform.
  private static func normals(_ bits: SIMD2<UInt32>) -> SIMD2<Float> {
    // The lower limit avoids the logarithm of zero.
    let distance = (-2 * logf(max(Float(randomBits: bits[0]), 1e-7))).squareRoot()
    let angle = Float(2 * Double.pi * Double(Float(randomBits: bits[1])))
    return [sinf(angle) * distance, cosf(angle) * distance]
  }
}

extension SIMD4<UInt32> {
  fileprivate func mapLanes(_ function: (UInt32) -> Float) -> SIMD4<Float> {
    [function(self[0]), function(self[1]), function(self[2]), function(self[3])]
  }
}
