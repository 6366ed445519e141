/// A user-defined operator, for custom operators that this engine does not know.
///
/// It is checked, planned, listed and profiled like the built-in ones.
public struct CustomOperator: Sendable {
  /// The description of a node that a custom operator gets.
  public struct Node: Sendable {
    /// The types of the operands; `nil` stands for one that is left out.
    public let inputTypes: [ElementType?]
    /// The types of the results.
    public let outputTypes: [ElementType]
    /// The quantizations of the operands.
    public let inputQuantizations: [Quantization?]
    /// The quantizations of the results.
    public let outputQuantizations: [Quantization?]
    /// The bytes of the node's options, in most models a FlexBuffer.
    public let options: [UInt8]
  }

  /// An operand or result while the operator runs: valid until `compute` returns.
  public struct Operand {
    let view: TensorView

    /// The type of the elements.
    public var type: ElementType { view.type }
    /// The extents.
    public var shape: Shape { view.shape }
    /// The memory, row-major.
    public var bytes: UnsafeMutableRawBufferPointer { view.bytes }

    /// Returns the memory as elements.
    ///
    /// - Precondition: `Element` has the size of the tensor's elements.
    public func values<Element: BitwiseCopyable>(
      as _: Element.Type = Element.self
    ) -> UnsafeMutableBufferPointer<Element> {
      precondition(view.type.byteWidth == MemoryLayout<Element>.stride, "wrong element size")
      return view.values(Element.self)
    }
  }

  /// The reason why a custom operator refuses its node or its data.
  public struct Failure: Error {
    /// The description of the problem.
    public var message: String

    /// Makes a failure; the engine adds the node and its tensors.
    public init(_ message: String) { self.message = message }
  }

  /// Throws unless the operator supports the node's types and options.
  public typealias Check = @Sendable (Node) throws(Failure) -> Void
  /// Returns the shapes of the results for those of the operands.
  public typealias Shapes = @Sendable (Node, [Shape?]) throws(Failure) -> [Shape]
  /// Computes the results.
  public typealias Compute =
    @Sendable (Node, [Operand?], [Operand]) throws(Failure) -> Void

  /// The name of the custom operator in model files.
  public let name: String
  let check: Check
  let shapes: Shapes
  let compute: Compute

  /// Makes an operator.
  ///
  /// - Parameters:
  ///   - name: the custom code in the model file.
  ///   - check: refuses types and options; called once per node when a model is loaded.
  ///   - shapes: the results' shapes; called when a run is planned.
  ///   - compute: fills the results; called in every run, from one thread at a time per
  ///     interpreter.
  public init(
    _ name: String, check: @escaping Check = { (_) throws(Failure) in },
    shapes: @escaping Shapes, compute: @escaping Compute
  ) {
    self.name = name
    self.check = check
    self.shapes = shapes
    self.compute = compute
  }

  package var definition: OperatorDefinition {
    OperatorDefinition(name, versions: 1...Int.max, types: []) { spec throws(ModelError) in
      try UserOperator(self, spec: spec)
    }
  }
}

/// A user's operator as a built-in one.
private struct UserOperator: Operator {
  let custom: CustomOperator
  let node: CustomOperator.Node
  // User code may keep state, so its node is never folded.
  let traits: OperatorTraits = .stateful

  init(_ custom: CustomOperator, spec: NodeSpec) throws(ModelError) {
    self.custom = custom
    node = .init(
      inputTypes: spec.inputs.map { $0?.type }, outputTypes: spec.outputs.map(\.type),
      inputQuantizations: spec.inputs.map { $0?.quantization },
      outputQuantizations: spec.outputs.map(\.quantization), options: Array(spec.customOptions))
    do { try custom.check(node) } catch { throw spec.unsupported(error.message) }
  }

  func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shapes = (0..<context.inputCount).map { context.optionalShape($0) }
    do { return try custom.shapes(node, shapes) } catch { throw context.error(error.message) }
  }

  func run(_ context: RunContext) throws(ModelError) {
    let inputs = (0..<context.inputCount).map { position in
      context.optionalInput(position).map { CustomOperator.Operand(view: $0) }
    }
    let outputs = (0..<context.outputCount).map { CustomOperator.Operand(view: context.output($0)) }
    do { try custom.compute(node, inputs, outputs) } catch { throw context.error(error.message) }
  }
}
