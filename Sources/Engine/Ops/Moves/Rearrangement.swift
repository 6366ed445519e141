/// An operator whose results hold elements of its operands, unchanged, in other places.
///
/// It says which boxes of elements go where; moving them is the same for all, whatever the type
/// of the elements.
package protocol Rearrangement: Operator {
  /// The operands whose values say where elements go; by default those that decide the shapes.
  var placingInputs: [Int] { get }

  /// The copies that make up the results, in the order in which they must be done; `results`
  /// are the shapes that `outputShapes` gave. Not called when all of them are empty.
  func moves(_ operands: ShapeContext, results: [Shape]) throws(ModelError) -> [ElementMove]

  /// What fills the results where no copy puts anything; `nil` where copies cover all.
  var background: Background? { get }
}

/// A box of elements that goes from an operand to a result.
package struct ElementMove: Sendable {
  package enum Source: Sendable {
    case input(Int)
    /// A part of the same result that earlier copies have filled.
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

/// The element that a result is filled with before others are put into it.
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

  /// Fills the results: what `run` does for operators that do nothing else.
  package func rearrange(_ context: RunContext) throws(ModelError) {
    let results = (0..<context.outputCount).map { context.output($0).shape }
    let isEmpty = results.allSatisfy { $0.elementCount == 0 }
    let moves =
      isEmpty ? [] : try moves(context.operands(valued: placingInputs), results: results)
    try context.withAddressableElements { inputs, outputs throws(ModelError) in
      fill(outputs, inputs: inputs)
      for move in moves {
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

extension ElementMove.Source {
  fileprivate func tensor(inputs: [TensorView?], result: TensorView) -> TensorView {
    switch self {
    case .input(let position): inputs[position] ?? result
    case .result: result
    }
  }
}
