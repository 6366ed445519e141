import OcellusKernelABI
import OcellusPlatform

/// COMPLEX_ABS, IMAG and REAL: a real number for each complex number.
package struct ComplexToReal: Operator {
  package static let magnitude = define(
    "COMPLEX_ABS", isMagnitude: true, { hypotf($0.real, $0.imaginary) }
  ) {
    hypot($0.real, $0.imaginary)
  }
  package static let imaginaryPart = define("IMAG", { $0.imaginary }, { $0.imaginary })
  package static let realPart = define("REAL", { $0.real }, { $0.real })

  private let isMagnitude: Bool
  private let single: @Sendable (Complex<Float>) -> Float
  private let double: @Sendable (Complex<Double>) -> Double

  private static func define(
    _ name: String, isMagnitude: Bool = false,
    _ single: @escaping @Sendable (Complex<Float>) -> Float,
    _ double: @escaping @Sendable (Complex<Double>) -> Double
  ) -> OperatorDefinition {
    OperatorDefinition(name, types: [.complex64, .complex128]) { node throws(ModelError) in
      try node.requireAllOperands(1)
      let isSingle = try node.input(0).type == .complex64
      try node.require(try node.output(0), isSingle ? .float32 : .float64)
      return Self(isMagnitude: isMagnitude, single: single, double: double)
    }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    [context.shape(0)]
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard isMagnitude, context.node.inputs[0]?.type == .complex64 else { return nil }
    let count = context.outputShapes[0].elementCount
    let magnitudes = context.kernels.fourier.magnitudes
    return Step(kernelName: "magnitudes \(context.kernels.name)") { step in
      let numbers = step.input(0).assumingMemoryBound(to: Float.self)
      let results = step.output(0).assumingMemoryBound(to: Float.self)
      step.workers.forEachSlice(of: 0..<count, length: Step.longestSlice) { slice in
        magnitudes(numbers + 2 * slice.lowerBound, results + slice.lowerBound, slice.count)
      }
    }
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    if input.type == .complex64 {
      Self.apply(single, input, output)
    } else {
      Self.apply(double, input, output)
    }
  }

  private static func apply<Part>(
    _ function: (Complex<Part>) -> Part, _ input: TensorView, _ output: TensorView
  ) {
    let (source, target) = (input.values(Complex<Part>.self), output.values(Part.self))
    for chunk in output.chunks(of: source.count) {
      for index in chunk { target[index] = function(source[index]) }
    }
  }
}
