/// A signature's name for a tensor of its subgraph.
package struct NamedTensor: Sendable, Hashable {
  package var name: String
  package var tensor: Int

  package init(name: String, tensor: Int) {
    self.name = name
    self.tensor = tensor
  }
}
