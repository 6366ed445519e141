public import OcellusEngine

/// Which nodes a trace is about.
public struct TraceSelection: Sendable {
  private enum Part: Sendable {
    case nodes(ClosedRange<Int>)
    /// The name of an operator, or of one of the results.
    case name(String)
  }

  /// No parts: every node.
  private var parts: [Part] = []

  /// Every node.
  public static let all = TraceSelection()

  private init() {}

  /// The nodes that at least one of some texts means: a number, a range such as `3..9`, the name of an
  /// operator or that of a result; without texts all.
  ///
  /// - Throws: where a range ends before it begins.
  public init(_ texts: [String]) throws(AuditError) {
    for text in texts { parts.append(try Self.part(text)) }
  }

  private static func part(_ text: String) throws(AuditError) -> Part {
    let characters = Array(text)
    if let number = Int(text) { return .nodes(number...number) }
    let dots = characters.indices.dropLast().first {
      characters[$0] == "." && characters[$0 + 1] == "."
    }
    guard let dots, let first = Int(String(characters[..<dots])),
      let last = Int(String(characters[(dots + 2)...]))
    else { return .name(text) }
    guard first <= last else {
      throw AuditError("the range \(text) ends before it begins; say \(last)..\(first)")
    }
    return .nodes(first...last)
  }

  /// Whether a node is among them; numbers mean nodes of the main subgraph.
  public func includes(_ node: ObservedNode) -> Bool {
    parts.isEmpty
      || parts.contains { part in
        switch part {
        case .nodes(let range): node.subgraph == 0 && range.contains(node.index)
        case .name(let name):
          node.operatorName == name || node.outputs.contains { $0.name == name }
        }
      }
  }
}
