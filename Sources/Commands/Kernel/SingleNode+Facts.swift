import OcellusEngine
import OcellusModelFile
import OcellusProfile

extension SingleNode {
  private var subgraph: SubgraphRecord? { try? Model(bytes: file).file.subgraphs.first }

  /// The size of the weights in bytes.
  var constantByteCount: Int {
    subgraph?.tensors.reduce(0) { $0 + ($1.data?.count ?? 0) } ?? 0
  }

  /// Returns the kind of arithmetic of a kernel, or `nil` if no limit is measured for it.
  func arithmetic(by kernel: String) -> ProfiledStep.Arithmetic? {
    guard let subgraph, let operation = subgraph.operators.first else { return nil }
    return .init(
      operands: operation.inputs.filter { $0 >= 0 }.compactMap {
        ElementType(subgraph.tensors[$0].type)
      }, kernel: kernel)
  }

  /// Whether the node computes with floats, for which several results may be right.
  var hasFloats: Bool {
    subgraph?.tensors.contains { [.float32, .float16, .bfloat16].contains($0.type) } ?? false
  }
}
