/// The memory that steps allocate when they are planned, charged to an interpreter's account.
final class StepMemory {
  private let packed: PackedWeights
  private let account: MemoryAccount
  /// The error of a block that was refused since the last check.
  private var refusal: ModelError?
  /// The placeholder for refused blocks, in steps that never run.
  private let nothing: PackedBlock

  init(packed: PackedWeights, account: MemoryAccount) throws(ModelError) {
    (self.packed, self.account) = (packed, account)
    nothing = try PackedBlock(byteCount: 0, account: MemoryAccount(limit: 0)) { "nothing" }
  }

  func packedWeights(
    _ purpose: PackedWeights.Purpose, of node: NodeSpec, pointingTo other: PackedBlock?,
    pack: @escaping (UnsafeMutableRawPointer) -> Void
  ) -> PackedBlock {
    if other === nothing { return nothing }
    do {
      return try packed.block(
        for: purpose, of: node, pointingTo: other, account: account, pack: pack)
    } catch {
      refusal = error
      return nothing
    }
  }

  func makeTable(byteCount: Int, for node: NodeSpec) throws(ModelError) -> PackedBlock {
    try PackedBlock(byteCount: byteCount, account: account) {
      "a table of \(node.operatorName)"
    }
  }

  /// Throws if a block was refused.
  func check() throws(ModelError) {
    guard let refusal else { return }
    self.refusal = nil
    throw refusal
  }
}
