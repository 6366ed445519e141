import OcellusJSON

/// A step of a model in results of `profile` and of `bench --profile`.
struct StepName: Hashable {
  let subgraph: Int
  let node: Int
  let operatorName: String

  /// Reads a step and its duration.
  static func read(_ step: JSONValue) -> (name: StepName, milliseconds: Double)? {
    guard let step = step.object, let subgraph = step["subgraph"]?.integer,
      let node = step["node"]?.integer, let name = step["operator"]?.string,
      let milliseconds = step["ms"]?.number
    else { return nil }
    return (StepName(subgraph: subgraph, node: node, operatorName: name), milliseconds)
  }

  var text: String { (subgraph == 0 ? "" : "\(subgraph):") + "\(node) \(operatorName)" }
}
