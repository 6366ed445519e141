extension ModelFile {
  /// A graph: tensors, and the nodes that compute some of them from others.
  public struct Graph: Sendable {
    private let file: ModelFile
    /// The index of the graph in the file.
    public let index: Int

    init(file: ModelFile, index: Int) {
      self.file = file
      self.index = index
    }

    private var record: SubgraphRecord { file.subgraphs[index] }

    /// The name of the graph; empty in many files.
    public var name: String { record.name }
    /// The indices of the input tensors.
    public var inputs: [Int] { record.inputs }
    /// The indices of the output tensors.
    public var outputs: [Int] { record.outputs }
    /// All tensors: inputs, constants and computed ones.
    public var tensors: [Tensor] {
      record.tensors.enumerated().map { Tensor(record: $1, index: $0, owner: file.bytes) }
    }
    /// The nodes in the order in which they run.
    public var nodes: [Node] {
      record.operators.enumerated().map { index, node in
        Node(
          record: node, code: file.operatorCodes[node.codeIndex], index: index, owner: file.bytes)
      }
    }
  }
}
