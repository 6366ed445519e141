extension ModelFile {
  /// A graph: tensors, and nodes that make some of them from others.
  public struct Graph: Sendable {
    private let file: ModelFile
    /// Its position in the file.
    public let index: Int

    init(file: ModelFile, index: Int) {
      self.file = file
      self.index = index
    }

    private var record: SubgraphRecord { file.subgraphs[index] }

    /// Its name; empty in many files.
    public var name: String { record.name }
    /// The tensors that it is given.
    public var inputs: [Int] { record.inputs }
    /// The tensors that it gives.
    public var outputs: [Int] { record.outputs }
    /// All tensors: computed ones, constants, inputs.
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
