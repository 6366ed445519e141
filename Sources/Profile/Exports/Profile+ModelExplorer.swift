package import OcellusEngine
package import OcellusJSON

extension Profile {
  /// Milliseconds of nodes as Model Explorer reads them, which colours the graph of the model with them.
  ///
  /// Nodes have their positions for names, and subgraphs those that Model Explorer gives them. What is
  /// done together is with the node that does it.
  package func nodeData(of model: Model) -> JSONValue {
    var graphs = JSONObject()
    for (index, name) in model.subgraphNames.enumerated() {
      let steps = steps.filter { $0.subgraph == index }
      let title = name.isEmpty ? (index == 0 ? "main" : "subgraph_\(index)") : name
      if steps.isEmpty || graphs[title] != nil { continue }
      graphs.append(title, ["results": .object(steps.results), "gradient": Self.gradient])
    }
    return .object(graphs)
  }

  /// From nothing to the slowest node.
  private static let gradient: JSONValue = [
    ["stop": 0, "bgColor": "#ffffff"], ["stop": 1, "bgColor": "#e4572e"],
  ]
}

extension [ProfiledStep] {
  fileprivate var results: JSONObject {
    JSONObject(map { .init(name: "\($0.node)", value: ["value": .number($0.time.median)]) })
  }
}
