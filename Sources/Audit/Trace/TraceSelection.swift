public import OcellusEngine

/// The nodes that a trace covers.
public struct TraceSelection: Sendable {
  private enum Part: Sendable {
    case nodes(ClosedRange<Int>)
    /// The name of an operator or of a result.
    case name(String)
  }

  /// The selected ranges and names; an empty list selects every node.
  private var parts: [Part] = []

  /// Every node.
  public static let all = TraceSelection()

  private init() {}

  /// Selects the nodes that match any of some texts; no texts select all nodes.
  ///
  /// A text is an index, a range such as `3..9`, the name of an operator, or the name of a result.
  ///
  /// - Throws: an error for a range that ends before it begins.
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

  /// Returns whether a node is selected; indices refer to nodes of the main subgraph.
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
