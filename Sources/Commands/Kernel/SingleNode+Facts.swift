import OcellusEngine
import OcellusModelFile
import OcellusProfile

extension SingleNode {
  private var subgraph: SubgraphRecord? { try? Model(bytes: file).file.subgraphs.first }

  /// The bytes of its weights.
  var constantByteCount: Int {
    subgraph?.tensors.reduce(0) { $0 + ($1.data?.count ?? 0) } ?? 0
  }

  /// What its products by a kernel are made of; `nil` where no limit is measured for them.
  func arithmetic(by kernel: String) -> ProfiledStep.Arithmetic? {
    guard let subgraph, let operation = subgraph.operators.first else { return nil }
    return .init(
      operands: operation.inputs.filter { $0 >= 0 }.compactMap {
        ElementType(subgraph.tensors[$0].type)
      }, kernel: kernel)
  }

  /// Whether it works on floats, which can be computed in several right ways.
  var hasFloats: Bool {
    subgraph?.tensors.contains { [.float32, .float16, .bfloat16].contains($0.type) } ?? false
  }
}
