public import OcellusEngine
import OcellusModelFile
import OcellusPlatform

extension Model {
  /// The SHA-256 of the model's file, as hexadecimal digits.
  public var fileHash: String { SHA256.hash(file.bytes.buffer).hexadecimal }

  /// The bytes of the model's file.
  package var fileByteCount: Int { file.bytes.buffer.count }

  /// The nodes of the main subgraph.
  package var nodeCount: Int { file.subgraphs[0].operators.count }
}
