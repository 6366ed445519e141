import OcellusEngine
import OcellusModelFile
import OcellusPlatform

/// A node of a model by its number in `profile` and in errors, or all nodes.
///
/// `model.tflite#12` is a node of the main subgraph, `model.tflite#1:5` is node 5 of subgraph 1,
/// and `model.tflite` stands for all nodes.
struct NodeAddress {
  let path: String
  let subgraph: Int
  /// The index of the node; `nil` for all nodes of all subgraphs.
  let node: Int?

  init(_ text: String) throws(UsageError) {
    guard let mark = text.lastIndex(of: "#"), !FileSystem.exists(text) else {
      (path, subgraph, node) = (text, 0, nil)
      return
    }
    path = String(text[..<mark])
    let numbers = text[text.index(after: mark)...].split(
      separator: ":", omittingEmptySubsequences: false
    ).map { Int($0) }
    guard (1...2).contains(numbers.count), let node = numbers.last ?? nil, node >= 0,
      let subgraph = numbers.count == 2 ? numbers[0] : 0, subgraph >= 0
    else {
      throw UsageError("'\(text)' names no node: a file's is MODEL#12, a called one MODEL#1:5")
    }
    (self.subgraph, self.node) = (subgraph, node)
  }

  /// Throws an error if the model lacks the node.
  func check(in model: Model) throws(RunError) {
    guard let node else { return }
    let subgraphs = model.file.subgraphs
    guard subgraphs.indices.contains(subgraph) else {
      throw RunError("\(path) has no subgraph \(subgraph), but \(subgraphs.count)")
    }
    let count = subgraphs[subgraph].operators.count
    guard node < count else {
      throw RunError("\(path) has no node \(node) in subgraph \(subgraph), but \(count) of them")
    }
  }

  /// Returns whether the address includes a node.
  func means(_ observed: ObservedNode) -> Bool {
    node == nil || observed.index == node && observed.subgraph == subgraph
  }
}
