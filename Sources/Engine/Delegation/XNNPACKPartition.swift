import OcellusKernelABI

/// The nodes of a model that LiteRT's default delegate, XNNPACK, takes from the built-in kernels.
///
/// The delegate asks of every node whether it supports the operator, the types and quantization of
/// its tensors, and its options, one node after the other. This repeats its questions (LiteRT 2.3);
/// the page "LiteRT's default numerics" lists them.
package struct XNNPACKPartition: Sendable {
  /// The reasons why nodes are not taken, by their position; `nil` for nodes that are.
  package let refusals: [XNNPACKRefusal?]

  package init(of subgraph: Subgraph) {
    var requirements = XNNPACKRequirements()
    refusals = subgraph.nodes.map { node in
      if requirements.unpacks(node.spec) { return nil }
      return requirements.refusal(of: node.spec)
    }
  }

  /// Returns whether the delegate takes the node at a position.
  package func takes(_ position: Int) -> Bool { refusals[position] == nil }
}

/// The reason why XNNPACK does not take a node.
package struct XNNPACKRefusal: Error, Sendable, Equatable {
  package let reason: String

  init(_ reason: String) { self.reason = reason }
}

extension Graph {
  /// Returns the graph with XNNPACK's arithmetic in all nodes that LiteRT delegates, and with that
  /// of LiteRT's built-in kernels in others, as far as it is known.
  func delegatedToXNNPACK(on processor: LiteRTProcessor) throws(ModelError) -> Graph {
    var delegated: [Subgraph?] = []
    for subgraph in subgraphs {
      delegated.append(try subgraph?.delegatedToXNNPACK(on: processor))
    }
    return Graph(self, subgraphs: delegated)
  }
}

extension Subgraph {
  fileprivate func delegatedToXNNPACK(
    on processor: LiteRTProcessor
  ) throws(ModelError) -> Subgraph {
    let partition = XNNPACKPartition(of: self)
    var nodes = self.nodes
    for (position, node) in nodes.enumerated() {
      if partition.takes(position) {
        nodes[position] = Node(
          delegating: node, to: processor,
          operation: try DelegatedOperators.operation(of: node, on: processor))
      } else if let operation = try builtInOperation(of: node) {
        nodes[position] = Node(
          node, operation: operation, inputs: node.inputs, outputs: node.outputs)
      }
    }
    return Subgraph(self, nodes: nodes)
  }

  /// Returns a node's operation with the bits of LiteRT's built-in kernel, where that has others
  /// than the reference kernel.
  private func builtInOperation(of node: Node) throws(ModelError) -> (any Operator)? {
    switch node.operation {
    case is Softmax: try BuiltInByteSoftmax(node.spec)
    case let convolution as DepthwiseConv2D: convolution.scalingByColumns()
    case let lstm as LSTM: lstm.asBuiltIn()
    case let layer as RNN: layer.asBuiltIn()
    case let filters as SVDF: filters.asBuiltIn()
    case is Quantize: try builtInQuantize(node.spec)
    case let product as FullyConnected: product.asBuiltIn()
    case let convolution as TransposeConv: convolution.asBuiltIn()
    default: nil
    }
  }

  private func builtInQuantize(_ node: NodeSpec) throws(ModelError) -> (any Operator)? {
    if let operation = try Quantize(builtIn: node) { return operation }
    let (input, output) = (try node.input(0), try node.output(0))
    guard input.type == .float32, output.type == .int16,
      output.quantization?.isPerChannel == false
    else { return nil }
    return try DelegatedQuantize(node)
  }
}
