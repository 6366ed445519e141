extension ObservedNode {
  /// The number of operand bytes that the step need not copy, because they already lie where the
  /// results do.
  package var elidedCopyByteCount: Int {
    guard let planned, let step = planned.step else { return 0 }
    let addresses = memory.addresses
    return step.flatCopies.reduce(0) { sum, move in
      guard let source = addresses[planned.node.inputs[move.operand]],
        let target = addresses[planned.node.outputs[move.result]]
      else { return sum }
      return source + move.operandOffset == target + move.resultOffset ? sum + move.byteCount : sum
    }
  }
}
