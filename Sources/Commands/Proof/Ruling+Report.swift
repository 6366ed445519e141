import OcellusAudit
import OcellusJSON
import OcellusProof

extension Ruling {
  var exitCode: ExitCode {
    switch outcome {
    case .otherQuestions, .undecided: .undecided
    default: .success
    }
  }

  /// The ruling as text.
  var text: String {
    var lines = [verdict]
    if let node = disputedNode {
      let suffix = node.subgraph == 0 ? "" : " of subgraph \(node.subgraph)"
      lines.append(
        "they part at node \(node.index)\(suffix) (\(node.operatorName)), after "
          + "\(dispute?.agreedCount ?? 0) nodes about which they agree")
    }
    lines.append(reason)
    lines.append("\(exchangeCount) exchanges, \(operandByteCount) bytes of operands")
    return lines.map { $0 + "\n" }.joined()
  }

  private var verdict: String {
    switch outcome {
    case .same: "the receipts are the same"
    case .otherQuestions: "the receipts answer different questions"
    case .firstIsWrong: "A is wrong"
    case .secondIsWrong: "B is wrong"
    case .bothAreWrong: "both are wrong"
    case .bothAreRight: "both are right: each has the bits of its own setting"
    case .undecided: "undecided"
    }
  }

  private var disputedNode: Receipt.Node? {
    dispute?.statements.first ?? dispute?.statements.second
  }

  /// The ruling in machine-readable form.
  func json(about parties: [Party]) -> JSONValue {
    [
      "outcome": .string(outcome.rawValue), "roots": .strings(parties.map(\.receipt.root)),
      "node": disputedNode.map { .integer($0.index) } ?? .null,
      "subgraph": disputedNode.map { .integer($0.subgraph) } ?? .null,
      "operator": .string(orNull: disputedNode?.operatorName),
      "agreed_nodes": dispute.map { .integer($0.agreedCount) } ?? .null,
      "exchanges": .integer(exchangeCount), "operand_bytes": .integer(operandByteCount),
      "reason": .string(reason),
    ]
  }
}
