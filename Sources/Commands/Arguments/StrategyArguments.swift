import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch

/// Strategies as arguments of `--strategy`: `depthwise-int8=direct-windows`.
enum StrategyArguments {
  static func read(_ texts: [String]) throws(UsageError) -> [String: String] {
    var strategies: [String: String] = [:]
    for text in texts {
      let (family, name) = try split(text)
      strategies[family] = name
    }
    return strategies
  }

  private static func split(_ text: String) throws(UsageError) -> (family: String, name: String) {
    guard let equals = text.firstIndex(of: "=") else {
      throw UsageError("--strategy wants FAMILY=NAME, not '\(text)': 'kernel list' shows them")
    }
    let (family, name) = (String(text[..<equals]), String(text[text.index(after: equals)...]))
    let known = KernelTable.available.flatMap(\.families)
    let names = known.filter { $0.name == family }.flatMap(\.strategies)
    guard !names.isEmpty else {
      let families = KernelTable.available.first?.families.map(\.name) ?? []
      throw UsageError(
        "--strategy: there is no family of kernels '\(family)'"
          + "\(Suggestion.text(for: family, among: families)): there are "
          + families.joined(separator: ", "))
    }
    guard names.contains(name) else {
      let distinct = names.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      throw UsageError(
        "--strategy: \(family) has no strategy '\(name)'"
          + "\(Suggestion.text(for: name, among: distinct)): it has "
          + distinct.joined(separator: ", "))
    }
    return (family, name)
  }

  /// Throws an error if a requested strategy computes no node of a plan.
  static func requireUse(
    of strategies: [String: String], in plan: PlanDescription
  ) throws {
    for (family, name) in strategies.sorted(by: { $0.key < $1.key }) {
      let choices = plan.nodes.compactMap { node in
        node.strategy.flatMap { $0.family == family ? (node, $0) : nil }
      }
      guard !choices.contains(where: { $0.1.name == name }) else { continue }
      guard let (node, choice) = choices.first else {
        throw RunError("--strategy: no node of the model is computed by \(family)")
      }
      let refusal = choice.candidates.first { $0.name == name }?.refusal
      throw RunError(
        "--strategy: \(family)=\(name) accepts none of the model's nodes; node \(node.index), "
          + "\(node.operatorName): \(refusal ?? "this instruction set does not have it")")
    }
  }
}
