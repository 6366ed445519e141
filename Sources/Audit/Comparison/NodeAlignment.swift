/// The alignment of two models' nodes by operators, order and, preferably, tensor names.
package struct NodeAlignment {
  /// The indices of the corresponding nodes, in order.
  package let pairs: [(first: Int, second: Int)]

  /// The operators that converters add when they change a model's types.
  private static let conversions: Set<String> = ["QUANTIZE", "DEQUANTIZE", "CAST"]
  /// The maximum size of the alignment table; beyond it the table would take gigabytes.
  private static let maximumCells = 1 << 27

  package init(_ first: ModelOutline, _ second: ModelOutline) throws(AuditError) {
    if first.hasSameGraph(as: second) {
      let others = Set(second.nodes.map(\.index))
      pairs = first.nodes.filter { others.contains($0.index) }.map { ($0.index, $0.index) }
      return
    }
    var numbers: [String: Int] = [:]
    let (a, b) = (Self.kept(first, &numbers), Self.kept(second, &numbers))
    guard (a.count + 1) * (b.count + 1) <= Self.maximumCells else {
      throw AuditError("models of \(a.count) and \(b.count) nodes are too large to be aligned")
    }
    pairs = Self.longestCommon(a, b) { x, y in
      guard x.operatorNumber == y.operatorNumber else { return 0 }
      // A shared tensor name counts more than position.
      return x.resultNumbers.contains(where: y.resultNumbers.contains) ? 4 : 1
    }.map { (a[$0].index, b[$1].index) }
  }

  /// A node with numbers for names, since the table compares every node with every other.
  private struct Candidate {
    let index: Int
    let operatorNumber: Int
    let resultNumbers: [Int]
  }

  /// Returns the nodes to be aligned; `numbers` collects the numbers of all names.
  private static func kept(
    _ outline: ModelOutline, _ numbers: inout [String: Int]
  ) -> [Candidate] {
    func number(of name: String) -> Int {
      if let known = numbers[name] { return known }
      numbers[name] = numbers.count
      return numbers.count - 1
    }
    return outline.nodes.filter { !conversions.contains($0.operatorName) }.map { node in
      Candidate(
        index: node.index, operatorNumber: number(of: node.operatorName),
        resultNumbers: node.outputs.compactMap { outline.tensors[$0].map { number(of: $0.name) } })
    }
  }

  /// Returns the pairs, in order on both sides, with the largest sum of values.
  private static func longestCommon<Item>(
    _ a: [Item], _ b: [Item], value: (Item, Item) -> Int32
  ) -> [(Int, Int)] {
    let width = b.count + 1
    var best = [Int32](repeating: 0, count: (a.count + 1) * width)
    for i in a.indices.reversed() {
      for j in b.indices.reversed() {
        let value = value(a[i], b[j])
        let paired = value > 0 ? best[(i + 1) * width + j + 1] + value : 0
        best[i * width + j] = max(paired, best[(i + 1) * width + j], best[i * width + j + 1])
      }
    }
    var pairs: [(Int, Int)] = []
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      let value = value(a[i], b[j])
      let here = best[i * width + j]
      if value > 0, here == best[(i + 1) * width + j + 1] + value {
        pairs.append((i, j))
        (i, j) = (i + 1, j + 1)
      } else if here == best[(i + 1) * width + j] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }
}
