/// The memory of a step: looked up once per run, since tensors may move between runs.
///
/// The plan and the session own the pointers' memory and the workers. Retaining them here would
/// take as long as the arithmetic of small models.
package struct StepContext {
  /// The tensor numbers of the operands.
  let inputs: UnsafePointer<Int>
  /// The tensor numbers of the results.
  let outputs: UnsafePointer<Int>
  /// The address of every tensor of the subgraph.
  let addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  /// 64-byte aligned working memory of at least the size that the step asked for.
  package let scratch: UnsafeMutableRawPointer
  package let workers: WorkersReference

  /// Returns the memory of an operand, which must have elements.
  package func input(_ position: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(addresses[inputs[position]].unsafelyUnwrapped)
  }

  /// Returns the memory of a result, which must have elements.
  package func output(_ position: Int) -> UnsafeMutableRawPointer {
    addresses[outputs[position]].unsafelyUnwrapped
  }

  /// Returns whether the planner has given both ends of a copy the same address.
  package func isInPlace(_ move: FlatCopy) -> Bool {
    input(move.operand) + move.operandOffset
      == UnsafeRawPointer(output(move.result) + move.resultOffset)
  }
}
