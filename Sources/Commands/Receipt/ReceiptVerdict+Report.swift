import OcellusAudit
import OcellusJSON

extension ReceiptVerdict.Outcome {
  var exitCode: ExitCode {
    switch self {
    case .holds: .success
    case .differs: .failure
    case .undecided: .undecided
    }
  }
}

extension ReceiptVerdict {
  /// The verdict as a message.
  var message: String {
    if let obstacle, outcome == .undecided { return "undecided: \(text(obstacle))" }
    if holds { return "the receipt holds, \(nodeCount) nodes" }
    var message = "the receipt does not hold"
    if !otherQuestions.isEmpty {
      message += ", it is about something else: \(otherQuestions.joined(separator: "; "))"
    }
    guard let node else { return message }
    let suffix = node.subgraph == 0 ? "" : " of subgraph \(node.subgraph)"
    message += "; the first node that differs is \(node.index)\(suffix) (\(node.operatorName))"
    if let tensor { message += ", result '\(tensor.name)': \(tensor.hash) is stated" }
    return "\(message), \(found) was found"
  }

  private func text(_ obstacle: Obstacle) -> String {
    switch obstacle {
    case .rounding(let cause, let count, let isMeasured):
      let checked =
        isMeasured
        ? """
        of \(nodeCount) nodes, \(nodeCount - count) have its bits, and \(count) differ by no more than \
        rounding explains
        """
        : """
        model, inputs and preparation are the receipt's, and so are the bits of \(nodeCount - count) of \
        \(nodeCount) nodes; \(count) compute floats, or follow from them, and differ
        """
      return """
        the receipt promises no bits of floats here: \(cause.reason). What can be checked: \(checked). \
        To decide, \(cause.remedy)
        """
    case .noInput(let isPicture):
      let input = isPicture ? "a picture" : "numbers of an input"
      return """
        no input was given, and the receipt is about \(input): give the file with --input FILE. The model is \
        the receipt's, and all \(nodeCount) nodes are nodes of it
        """
    case .noTensors:
      return """
        no node can be computed from the tensors that were kept; without --sample, everything is computed \
        from --input FILE
        """
    }
  }

  /// The verdict about a receipt in machine-readable form.
  func json(about receipt: Receipt, sampled: [Int]?) -> JSONValue {
    var roundedCount = 0
    if case .rounding(_, let count, _) = obstacle { roundedCount = count }
    return [
      "schema": "ocellus-receipt-check", "schema_version": 1, "holds": .bool(holds),
      "outcome": .string(outcome.rawValue), "root": .string(receipt.root),
      "sampled_nodes": sampled.map { .integers($0) } ?? .null,
      "rounded_nodes": .integer(roundedCount),
      "node": node.map { .integer($0.index) } ?? .null,
      "subgraph": node.map { .integer($0.subgraph) } ?? .null, "message": .string(message),
    ]
  }
}
