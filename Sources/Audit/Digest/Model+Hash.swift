public import OcellusEngine
import OcellusModelFile
import OcellusPlatform

extension Model {
  /// The SHA-256 of the model's file, as hexadecimal digits.
  public var fileHash: String { SHA256.hash(file.bytes.buffer).hexadecimal }

  /// The size of the model's file in bytes.
  package var fileByteCount: Int { file.bytes.buffer.count }

  /// The number of nodes in the main subgraph.
  package var nodeCount: Int { file.subgraphs[0].operators.count }
}
