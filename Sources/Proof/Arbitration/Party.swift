package import OcellusAudit
import OcellusJSON

/// One side of a dispute: somebody who has a receipt, and answers questions about it.
///
/// The court asks for hashes and for single statements, never for everything, so a party could as
/// well be on another machine.
package struct Party: Sendable {
  /// The party's name in messages.
  package let name: String
  package let receipt: Receipt
  /// The canonical texts of the statements about nodes, which are leaves of the receipt's tree.
  private let statements: [[UInt8]]

  package init(name: String, _ receipt: Receipt) {
    self.name = name
    self.receipt = receipt
    let first = receipt.inputs.count + Self.leavesBesideInputsBeforeNodes
    statements = receipt.leaves[first..<first + receipt.nodes.count].map { Array($0.text.utf8) }
  }

  /// The leaves of the model and of the preparation of pictures.
  private static let leavesBesideInputsBeforeNodes = 2

  /// The number of statements about nodes.
  package var count: Int { statements.count }

  /// Answers with the root of a Merkle tree over the first statements about nodes.
  func root(ofFirst count: Int) -> [UInt8] { MerkleTree.root(of: Array(statements.prefix(count))) }

  /// Answers with a statement; `nil` if there are fewer.
  func statement(_ index: Int) -> Receipt.Node? {
    receipt.nodes.indices.contains(index) ? receipt.nodes[index] : nil
  }
}
