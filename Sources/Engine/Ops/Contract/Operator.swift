/// One node's operator, its options decoded: what shapes it makes and how to compute it.
///
/// Made once per node when a model is loaded, and shared by all interpreters of the model.
package protocol Operator: Sendable {
  /// The inputs whose *values*, not only shapes, decide the shapes of the outputs.
  ///
  /// Where such a value is not known before the run, the plan is cut in front of the node.
  var shapeInputs: [Int] { get }

  /// What the planner must know beyond shapes.
  var traits: OperatorTraits { get }

  /// The subgraphs that `run` may call.
  var callees: [Int] { get }

  /// Itself, if it is one: a cast would look for the protocol among all of the program's.
  var orderIndifferent: (any OrderIndifferent)? { get }

  /// The shapes of all outputs, or what does not fit.
  ///
  /// Everything that `run` relies on must be checked here or in `init`. Not called for
  /// operators with the trait `shapesOutputsAtRun`.
  func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape]

  /// The same for operators with the trait `shapesOutputsAtRun`, where a plan can tell; else
  /// `nil`, and the run makes the outputs.
  func outputShapesAhead(_ context: ShapeContext) throws(ModelError) -> [Shape]?

  /// The multiply-adds of one run: the profile's yardstick and what a budget limits.
  func multiplyAdds(_ context: ShapeContext) -> Int

  /// The specification, in plain loops. Every tuned kernel is tested against it.
  func run(_ context: RunContext) throws(ModelError)

  /// A tuned implementation for these shapes, or `nil` to run the reference.
  func plan(_ context: PlanContext) throws(ModelError) -> Step?

  /// The same that also clamps its floats, for the activation behind it; `nil` where no kernel can.
  func plan(
    _ context: PlanContext, clampingTo range: ClosedRange<Float>
  ) throws(ModelError) -> Step?
}

extension Operator {
  package var shapeInputs: [Int] { [] }
  package var traits: OperatorTraits { [] }
  package var callees: [Int] { [] }
  package var orderIndifferent: (any OrderIndifferent)? { nil }
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
  /// Its tuned step has the reference's very bits, so that constants may be folded with it.
  package static let foldsWithStep = OperatorTraits(rawValue: 8)
  /// Its tuned step leaves out operands without elements, which kernels must never see.
  package static let plansAroundNothing = OperatorTraits(rawValue: 16)
}
