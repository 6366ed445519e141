/// Where a step finds its memory: looked up once per run, since tensors may move between runs.
///
/// The plan and the session keep alive what is behind the pointers and the workers. To hold on to them here would
/// take small models as long as their arithmetic.
package struct StepContext {
  /// The tensors of the operands.
  let inputs: UnsafePointer<Int>
  /// The tensors of the results.
  let outputs: UnsafePointer<Int>
  /// The address of every tensor of the subgraph.
  let addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  /// 64-byte aligned working memory of at least the size that the step asked for.
  package let scratch: UnsafeMutableRawPointer
  package let workers: WorkersReference

  /// The memory of an operand that has elements.
  package func input(_ position: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(addresses[inputs[position]].unsafelyUnwrapped)
  }

  /// The memory of a result that has elements.
  package func output(_ position: Int) -> UnsafeMutableRawPointer {
    addresses[outputs[position]].unsafelyUnwrapped
  }

  /// Whether the planner has put both ends of a move in one place.
  package func isInPlace(_ move: FlatMove) -> Bool {
    input(move.operand) + move.operandOffset
      == UnsafeRawPointer(output(move.result) + move.resultOffset)
  }
}
