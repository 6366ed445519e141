/// An operator whose results contain elements of its operands, unchanged, at other positions.
///
/// It names the boxes of elements and their positions; copying them is the same for all operators
/// and element types.
package protocol Rearrangement: Operator {
  /// The operands whose values determine positions; by default those that decide the shapes.
  var placingInputs: [Int] { get }

  /// Returns the copies that make up the results, in the order in which they must be done.
  ///
  /// `results` are the shapes from `outputShapes`. Not called when all of them are empty.
  func elementCopies(_ operands: ShapeContext, results: [Shape]) throws(ModelError) -> [ElementCopy]

  /// The element that fills the results where no copy writes; `nil` where copies cover everything.
  var background: Background? { get }
}

/// A copy of a box of elements from an operand to a result.
package struct ElementCopy: Sendable {
  package enum Source: Sendable {
    case input(Int)
    /// A range of the same result that earlier copies have filled.
    case result
  }

  package var source: Source
  package var result: Int
  package var copy: StridedCopy

  package init(from source: Source, to result: Int = 0, _ copy: StridedCopy) {
    self.source = source
    self.result = result
    self.copy = copy
  }
}

/// The element that a result is filled with before other elements are copied to it.
package enum Background: Sendable {
  /// An integer in the result's own type; 0 for all other types.
  case integer(Int)
  /// The first element of an operand.
  case input(Int)
}

extension Rearrangement {
  package var placingInputs: [Int] { shapeInputs }
  package var background: Background? { nil }

  package func run(_ context: RunContext) throws(ModelError) { try rearrange(context) }

  /// Fills the results: the whole work of `run` for operators that only copy.
  package func rearrange(_ context: RunContext) throws(ModelError) {
    let results = (0..<context.outputCount).map { context.output($0).shape }
    let isEmpty = results.allSatisfy { $0.elementCount == 0 }
    let elementCopies =
      isEmpty ? [] : try elementCopies(context.operands(valued: placingInputs), results: results)
    try context.withAddressableElements { inputs, outputs throws(ModelError) in
      fill(outputs, inputs: inputs)
      for move in elementCopies {
        let output = outputs[move.result]
        let source = move.source.tensor(inputs: inputs, result: output)
        move.copy.run(
          from: source.bytes.baseAddress, to: output.bytes.baseAddress,
          elementWidth: output.type.byteWidth ?? 1, context.control)
      }
    }
  }

  private func fill(_ outputs: [TensorView], inputs: [TensorView?]) {
    for output in outputs {
      switch background {
      case .integer(let value): output.fill(withInteger: value)
      case .input(let position):
        if let value = inputs[position] { output.fill(withFirstElementOf: value) }
      case nil: break
      }
    }
  }
}

extension ElementCopy.Source {
  fileprivate func tensor(inputs: [TensorView?], result: TensorView) -> TensorView {
    switch self {
    case .input(let position): inputs[position] ?? result
    case .result: result
    }
  }
}
