/// The type of the tensors that a `variant` tensor holds.
package struct VariantSubtypeRecord: Sendable, Hashable {
  package var type: TensorType
  package var shape: [Int]
  package var hasRank: Bool

  package init(type: TensorType, shape: [Int], hasRank: Bool) {
    self.type = type
    self.shape = shape
    self.hasRank = hasRank
  }
}
