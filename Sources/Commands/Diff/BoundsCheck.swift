import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusPlatform
import OcellusProof

/// `diff --within-bounds`: judges the tensors of another runtime, without running the model.
struct BoundsCheck {
  let model: String
  let tensors: String
  let arithmetic: BoundsArithmetic
  private(set) var nodes: [NodeBound] = []

  init(model: String, tensors: String, _ arithmetic: BoundsArithmetic) {
    (self.model, self.tensors, self.arithmetic) = (model, tensors, arithmetic)
  }

  /// Judges every node whose results were kept.
  mutating func run(_ progress: ProgressLine) throws {
    let judge = BoundsJudge(
      of: try Model(path: model), [try TensorArchive(path: tensors)], arithmetic)
    try judge.judge { node in
      nodes.append(node)
      progress.show("\(nodes.count) nodes")
    }
    progress.clear()
    guard judgedCount > 0 else {
      throw AuditError(
        "\(tensors) has no result of a node together with its operands, so that nothing was judged; "
          + "'ocellus bound' says which nodes have bounds")
    }
  }

  /// What the tensors prove.
  enum Outcome: String { case inside, outside, undecided }

  var outcome: Outcome {
    if firstOutside != nil { return .outside }
    return unbounded.isEmpty ? .inside : .undecided
  }

  var exitCode: ExitCode {
    switch outcome {
    case .inside: .success
    case .outside: .failure
    case .undecided: .undecided
    }
  }

  private var judgedCount: Int { nodes.count { !$0.summaries.isEmpty } }
  private var firstOutside: NodeBound? { nodes.first { $0.outside != nil } }
  private var unbounded: [NodeBound] {
    nodes.filter { if case .notBounded = $0.outcome { true } else { false } }
  }

  // MARK: For a person

  func text(all: Bool) -> String {
    var text = "\(tensors): \(verdict)".printableInLine + "\n"
    if all {
      var report = BoundsReport(model: model, scope: .nodes, arithmetic: arithmetic)
      report.nodes = nodes
      return text + report.table
    }
    for node in nodes where node.outside != nil { text += "  \(node.sentence)\n" }
    for (reason, count) in reasons {
      text += "  \(count) not bounded, because \(reason)\n"
    }
    return text
  }

  private var verdict: String {
    let judged = "\(judgedCount) of \(nodes.count) nodes were judged"
    let outsideCount = nodes.count { $0.outside != nil }
    return switch outcome {
    case .inside: "inside the bounds of every node; \(judged)"
    case .outside: "outside the bounds of \(outsideCount) nodes; \(judged)"
    case .undecided: "inside the bounds of every node that has some; \(judged)"
    }
  }

  /// Why nodes have no bounds, the most frequent reason first.
  private var reasons: [(String, Int)] {
    var counts: [String: Int] = [:]
    for node in unbounded {
      if case .notBounded(let reason) = node.outcome {
        counts["\(node.operatorName): \(reason)".printableInLine, default: 0] += 1
      }
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
  }

  // MARK: For a program

  var json: JSONValue {
    var object = JSONObject(modelAt: model)
    object.append([
      "schema": "ocellus-bounds-check", "schema_version": 1, "tensors": .string(tensors),
      "arithmetic": arithmetic.json, "outcome": .string(outcome.rawValue),
      "judged": .integer(judgedCount),
      "first_outside": .integer(orNull: firstOutside?.index),
      "nodes": .array(nodes.map(\.json)),
    ])
    return .object(object)
  }
}
