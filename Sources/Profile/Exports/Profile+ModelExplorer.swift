package import OcellusEngine
package import OcellusJSON

extension Profile {
  /// Returns the nodes' milliseconds in Model Explorer's format, for colouring the graph.
  ///
  /// Nodes are named by their indices, and subgraphs by Model Explorer's names. The time of fused
  /// nodes is attributed to the node that does the work.
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

  /// The colours from zero to the slowest node.
  private static let gradient: JSONValue = [
    ["stop": 0, "bgColor": "#ffffff"], ["stop": 1, "bgColor": "#e4572e"],
  ]
}

extension [ProfiledStep] {
  fileprivate var results: JSONObject {
    JSONObject(map { .init(name: "\($0.node)", value: ["value": .number($0.time.median)]) })
  }
}
