/// One node's operator with its options decoded, which infers shapes and computes results.
///
/// Made once per node when a model is loaded, and shared by all interpreters of the model.
package protocol Operator: Sendable {
  /// The inputs whose *values*, not only shapes, decide the shapes of the outputs.
  ///
  /// If such a value is not known before the run, a segment of the plan ends before the node.
  var shapeInputs: [Int] { get }

  /// The properties beyond shapes that the planner needs.
  var traits: OperatorTraits { get }

  /// The subgraphs that `run` may call.
  var callees: [Int] { get }

  /// The first of the operands that are passed to `callees`, as all that follow it are.
  var firstArgument: Int { get }

  /// The operator itself if it conforms, else `nil`: a cast would search all the program's
  /// conformances.
  var axisOrderAgnostic: (any AxisOrderAgnostic)? { get }

  /// Returns the shapes of all outputs, or throws if the operands do not fit.
  ///
  /// Everything that `run` relies on must be checked here or in `init`. Not called for
  /// operators with the trait `shapesOutputsAtRun`.
  func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape]

  /// Returns the shapes of all outputs of an operator with the trait `shapesOutputsAtRun` if they
  /// are known before the run; otherwise `nil`, and the run makes the outputs.
  func outputShapesAhead(_ context: ShapeContext) throws(ModelError) -> [Shape]?

  /// Returns the multiply-adds of one run, which profiles show and budgets limit.
  func multiplyAdds(_ context: ShapeContext) -> Int

  /// Computes the results in plain loops: the specification that tuned kernels are tested against.
  func run(_ context: RunContext) throws(ModelError)

  /// Returns a tuned step for these shapes, or `nil` to run the reference.
  func plan(_ context: PlanContext) throws(ModelError) -> Step?

  /// Returns a tuned step that also clamps its float results, for the activation that follows it;
  /// `nil` where no kernel can.
  func plan(
    _ context: PlanContext, clampingTo range: ClosedRange<Float>
  ) throws(ModelError) -> Step?
}

extension Operator {
  package var shapeInputs: [Int] { [] }
  package var traits: OperatorTraits { [] }
  package var callees: [Int] { [] }
  package var firstArgument: Int { 0 }
  package var axisOrderAgnostic: (any AxisOrderAgnostic)? { nil }
  package func outputShapesAhead(_ context: ShapeContext) throws(ModelError) -> [Shape]? { nil }
  package func multiplyAdds(_ context: ShapeContext) -> Int { 0 }
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? { nil }
  package func plan(
    _ context: PlanContext, clampingTo range: ClosedRange<Float>
  ) throws(ModelError) -> Step? { nil }
}

/// Facts about an operator that change how its node is planned.
package struct OperatorTraits: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// It keeps or changes state, so it runs every time and is never folded.
  package static let stateful = OperatorTraits(rawValue: 1)
  /// It makes its outputs while running (`RunContext.makeOutput`), shapes included.
  package static let shapesOutputsAtRun = OperatorTraits(rawValue: 2)
  /// It reads shapes only, so its result is known as soon as they are.
  package static let readsShapesOnly = OperatorTraits(rawValue: 4)
  /// Its tuned step is bit-exact with the reference, so constants may be folded with it.
  package static let foldsWithStep = OperatorTraits(rawValue: 8)
  /// Its tuned step skips operands without elements, which kernels must never see.
  package static let skipsEmptyOperands = OperatorTraits(rawValue: 16)
}
