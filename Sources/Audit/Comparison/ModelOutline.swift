package import OcellusEngine
package import OcellusJSON
import OcellusModelFile

/// The nodes of a subgraph and their tensors without values, by which two sides are aligned.
package struct ModelOutline: Sendable {
  package struct Tensor: Sendable {
    package var index: Int
    package var name: String
    package var type: ElementType
    package var quantization: Quantization?
    package var isConstant: Bool
  }

  package struct Node: Sendable, Equatable {
    package var index: Int
    package var operatorName: String
    /// The operands' tensor indices; -1 for an omitted operand.
    package var inputs: [Int]
    package var outputs: [Int]
  }

  package var nodes: [Node]
  /// The tensors by index.
  package var tensors: [Int: Tensor]

  /// Returns the node with an index.
  package func node(_ index: Int) -> Node? {
    // Outlines of models have all nodes; outlines of traces may lack some.
    if nodes.indices.contains(index), nodes[index].index == index { return nodes[index] }
    return nodes.first { $0.index == index }
  }

  /// An outline without nodes.
  static let empty = ModelOutline()

  private init() { (nodes, tensors) = ([], [:]) }

  /// Makes the outline of a subgraph of a model.
  package init(of model: Model, subgraph: Int = 0) {
    nodes = Self.nodes(of: model.file, subgraph)
    tensors = [:]
    for spec in model.graph.subgraphs[subgraph]?.tensors ?? [] {
      tensors[spec.index] = Tensor(
        index: spec.index, name: spec.name, type: spec.type, quantization: spec.quantization,
        isConstant: spec.isConstant)
    }
  }

  /// Makes the outline of a subgraph of a file, which need not be a model that can be run.
  ///
  /// Types are those that the file declares.
  init(of file: ModelFile, subgraph: Int) {
    nodes = Self.nodes(of: file, subgraph)
    tensors = [:]
    for (index, record) in file.subgraphs[subgraph].tensors.enumerated() {
      guard let type = ElementType(record.type) else { continue }
      tensors[index] = Tensor(
        index: index, name: record.name, type: type,
        quantization: Quantization(record.quantization), isConstant: record.data != nil)
    }
  }

  private static func nodes(of file: ModelFile, _ subgraph: Int) -> [Node] {
    file.subgraphs[subgraph].operators.enumerated().map { index, node in
      Node(
        index: index, operatorName: file.operatorCodes[node.codeIndex].name,
        inputs: node.inputs, outputs: node.outputs)
    }
  }

  /// Makes the outline of a subgraph from a trace.
  package init(of trace: JSONValue, at path: String, subgraph: Int = 0) throws(AuditError) {
    guard trace.object?["schema"]?.string == Trace.schema,
      let nodeList = trace.object?["nodes"]?.array, let sourceList = trace.object?["sources"]?.array
    else { throw AuditError("\(path) is no trace") }
    nodes = []
    tensors = [:]
    for source in sourceList where source.object?["subgraph"]?.integer == subgraph {
      guard let tensor = Tensor(source, isConstant: true) else { continue }
      tensors[tensor.index] = tensor
    }
    // A trace lists the nodes of a called subgraph once per call.
    var known: Set<Int> = []
    for node in nodeList where node.object?["subgraph"]?.integer == subgraph {
      guard let object = node.object, let index = object["node"]?.integer,
        let name = object["operator"]?.string
      else { throw AuditError("\(path): a node of the trace has no number or operator") }
      guard known.insert(index).inserted else { continue }
      let outputs = (object["outputs"]?.array ?? []).compactMap { Tensor($0, isConstant: false) }
      for output in outputs { tensors[output.index] = output }
      nodes.append(
        Node(
          index: index, operatorName: name,
          inputs: (object["inputs"]?.array ?? []).compactMap(\.integer),
          outputs: outputs.map(\.index)))
    }
  }
}

extension ModelOutline {
  /// Whether the common nodes are equal and their results have equal types.
  ///
  /// One side must have all nodes of the other, since a trace may omit nodes.
  package func hasSameGraph(as other: ModelOutline) -> Bool {
    let others = Dictionary(other.nodes.map { ($0.index, $0) }, uniquingKeysWith: { $1 })
    let common = nodes.filter { others[$0.index] != nil }
    guard common.count == min(nodes.count, other.nodes.count) else { return false }
    return common.allSatisfy { node in
      node == others[node.index]
        && node.outputs.allSatisfy { tensors[$0]?.type == other.tensors[$0]?.type }
    }
  }
}

extension ModelOutline.Tensor {
  fileprivate init?(_ json: JSONValue, isConstant: Bool) {
    guard let object = json.object, let index = object["tensor"]?.integer,
      let name = object["name"]?.string, let typeName = object["type"]?.string,
      let type = ElementType.allCases.first(where: { $0.name == typeName })
    else { return nil }
    self.init(
      index: index, name: name, type: type, quantization: Quantization(object["quantization"]),
      isConstant: isConstant)
  }
}
