import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusPlatform
import OcellusProof

/// The bounds of a model's nodes, as a table and as JSON.
struct BoundsReport {
  let model: String
  let scope: BoundsRun.Scope
  let arithmetic: BoundsArithmetic
  var nodes: [NodeBound] = []

  var boundedCount: Int { nodes.count { !$0.summaries.isEmpty } }
  /// The first node with a result outside of its bounds.
  var firstOutside: NodeBound? { nodes.first { $0.outside != nil } }

  // MARK: For a person

  var text: String { table + verdict }

  /// The nodes, one a line.
  var table: String {
    var table = TextTable([
      .right("node"), .left("operator"), .left("result"), .right("elements"), .right("widest"),
      .right("median"), .right("units"), .right("used"), .left(""),
    ])
    for node in nodes { table.add(node.cells) }
    return table.text()
  }

  private var verdict: String {
    let count = "\(boundedCount) of \(nodes.count) nodes are bounded"
    guard let outside = firstOutside else { return count + ", and their results are inside\n" }
    return count + "\n" + outside.sentence + "\n"
  }

  // MARK: For a program

  var json: JSONValue {
    var object = JSONObject(modelAt: model)
    object.append([
      "schema": "ocellus-bounds", "schema_version": 1,
      "scope": .string(scope == .network ? "network" : "nodes"), "arithmetic": arithmetic.json,
      "bounded": .integer(boundedCount),
      "outside": .integer(nodes.count { $0.outside != nil }),
      "nodes": .array(nodes.map(\.json)),
    ])
    return .object(object)
  }
}

extension BoundsArithmetic {
  var json: JSONValue {
    ["factors": .string(factors.rawValue), "function_units": .number(functionUnits)]
  }
}

extension NodeBound {
  private var number: String {
    (subgraph == 0 ? "" : "\(subgraph):") + "\(index)" + (call == 0 ? "" : ", call \(call + 1)")
  }

  fileprivate var cells: [String] {
    let head = [number, operatorName, tensorName.shortened(to: 32)]
    switch outcome {
    case .notBounded(let reason):
      return head + ["", "", "", "", "", "not bounded, because \(reason)"]
    case .unseen: return head + ["", "", "", "", "", "not kept"]
    case .bounded(let summaries):
      guard let widest = summaries.max(by: { $0.widestRelative < $1.widestRelative }) else {
        return head + ["", "", "", "", "", ""]
      }
      return head + widest.cells + [note]
    }
  }

  private var note: String {
    if let outside { return "\(outside.outsideCount.grouped) outside" }
    let unbounded = summaries.reduce(0) { $0 + $1.unboundedCount }
    if unbounded > 0 { return "\(unbounded.grouped) may be anything" }
    return summaries.allSatisfy { $0.widest == 0 } ? "exact" : ""
  }

  /// What is outside, and by how much.
  var sentence: String {
    guard let outside else { return "" }
    let node = "node \(number) (\(operatorName)) '\(tensorName)'".printableInLine
    guard let worst = outside.worst else { return "\(node) has other elements than its operands" }
    let away =
      worst.units.isFinite
      ? "\(Float(worst.distance)) or \(worst.units.fixed(1)) units in the last place away"
      : "no number"
    return "\(node) is outside: \(outside.outsideCount.grouped) of "
      + "\(outside.elementCount.grouped) elements; element \(worst.element) is \(Float(worst.value)), "
      + "\(away) from \(Float(worst.low))…\(Float(worst.high))"
  }

  var json: JSONValue {
    let (name, reason): (String, String?) =
      switch outcome {
      case .bounded: ("bounded", nil)
      case .unseen: ("unseen", nil)
      case .notBounded(let reason): ("not_bounded", reason)
      }
    return [
      "subgraph": .integer(subgraph), "node": .integer(index), "call": .integer(call),
      "operator": .string(operatorName), "tensor": .string(tensorName), "outcome": .string(name),
      "reason": .string(orNull: reason), "results": .array(summaries.map(\.json)),
    ]
  }
}

extension BoundsSummary {
  fileprivate var cells: [String] {
    [
      elementCount.grouped, widest == 0 ? "" : "\(Float(widestRelative).shortText)",
      median == 0 ? "" : "\(Float(medianRelative).shortText)",
      medianUnits == 0 ? "" : medianUnits.fixed(medianUnits < 10 ? 1 : 0),
      medianShare.map { "\((100 * $0).fixed(1)) %" } ?? "",
    ]
  }

  fileprivate var json: JSONValue {
    [
      "elements": .integer(elementCount), "unbounded": .integer(unboundedCount),
      "widest": .number(widest), "median": .number(median), "largest": .number(largest),
      "widest_relative": .number(widestRelative), "median_relative": .number(medianRelative),
      "median_units": .number(medianUnits), "median_used": medianShare.map { .number($0) } ?? .null,
      "largest_used": largestShare.map { .number($0) } ?? .null,
      "outside": .integer(outsideCount), "worst": worst?.json ?? .null,
    ]
  }
}

extension BoundsSummary.Outside {
  fileprivate var json: JSONValue {
    [
      "element": .integer(element), "value": .number(value), "low": .number(low),
      "high": .number(high), "distance": .number(distance), "units": .number(units),
    ]
  }
}

extension Float {
  /// The number with two significant digits, such as `1.2e-07`.
  var shortText: String {
    guard isFinite, self > 0 else { return "\(self)" }
    var (exponent, mantissa) = (0, Double(self))
    while mantissa >= 10 { (exponent, mantissa) = (exponent + 1, mantissa / 10) }
    while mantissa < 1 { (exponent, mantissa) = (exponent - 1, mantissa * 10) }
    return "\(mantissa.fixed(1))e\(exponent)"
  }
}
