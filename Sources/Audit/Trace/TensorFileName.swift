/// The name of a tensor's file, from the tensor's index and name.
///
/// Characters that file systems and shells reject are replaced. `12-conv1_relu.npy` is tensor 12 of
/// the main subgraph, and `s2c0-7-add.npy` tensor 7 of subgraph 2 in its first call.
package struct TensorFileName: Hashable, Sendable {
  package var subgraph: Int
  package var call: Int
  package var index: Int
  package var name: String

  package init(subgraph: Int, call: Int, index: Int, name: String) {
    self.subgraph = subgraph
    self.call = call
    self.index = index
    self.name = Self.plain(name)
  }

  /// The name without its extension.
  package var stem: String {
    let prefix = subgraph == 0 && call == 0 ? "" : "s\(subgraph)c\(call)-"
    return name.isEmpty ? "\(prefix)\(index)" : "\(prefix)\(index)-\(name)"
  }

  /// Replaces special characters and shortens long names, since file systems allow 255 bytes.
  package static func plain(_ name: String) -> String {
    String(
      name.prefix(120).map { character in
        character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
          ? character : "_"
      })
  }
}
