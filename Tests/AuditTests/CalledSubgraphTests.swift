import OcellusAudit
import OcellusEngine
import OcellusTestSupport
import Testing

/// A difference inside a loop's body is found there, in the iteration in which it begins.
@Suite struct CalledSubgraphTests {
  private func layers(
    _ first: SyntheticLoop, _ second: SyntheticLoop
  ) throws -> [LayerComparison] {
    var layers: [LayerComparison] = []
    let comparison = try RunComparison(
      LiveStream(first.interpreter(), title: "first"),
      LiveStream(second.interpreter(), title: "second"))
    #expect(comparison.hasSameGraph)
    try comparison.run { layers.append($0) }
    return layers
  }

  private func place(_ layer: LayerComparison?) -> NodeCall? {
    layer.map { NodeCall(subgraph: $0.subgraph, node: $0.secondNode, call: $0.call) }
  }

  /// There are six evaluations of the condition, five iterations of three nodes, and the loop
  /// itself.
  @Test func allCallsAreCompared() throws {
    let layers = try layers(SyntheticLoop(), SyntheticLoop())
    #expect(layers.count == 6 + 5 * 3 + 1)
    #expect(layers.allSatisfy { $0.difference?.isNone == true && $0.origin == .none })
    #expect(place(layers.first) == NodeCall(subgraph: 1, node: 0, call: 0))
    #expect(place(layers.last) == NodeCall(node: 0))
    #expect(layers[3].name(of: 2) == "2:2" && layers[4].name(of: 0) == "1:0, call 2")
  }

  @Test func anotherFactorIsFoundInTheFirstRound() throws {
    var faulty = SyntheticLoop()
    faulty.factor = 0.75
    let layers = try layers(SyntheticLoop(), faulty)
    let different = layers.filter { $0.difference?.isNone == false }
    #expect(place(different.first) == NodeCall(subgraph: 2, node: 1, call: 0))
    #expect(different.first?.origin == .born)
    #expect(different[1].origin == .inherited && different[1].secondNode == 2)
    // After the first iteration the operands differ as well.
    #expect(different.first { $0.call == 1 && $0.secondNode == 1 }?.origin == .both)
    // The loop inherits the difference from its body.
    #expect(different.last?.subgraph == 0 && different.last?.origin == .inherited)
  }

  /// If one loop runs one iteration less, its condition is the first difference; later iterations
  /// have no counterpart.
  @Test func anotherCountIsFoundInTheQuestion() throws {
    var faulty = SyntheticLoop()
    faulty.rounds = 3
    let layers = try layers(SyntheticLoop(), faulty)
    let first = layers.first { $0.difference?.isNone == false }
    #expect(place(first) == NodeCall(subgraph: 1, node: 0, call: 3))
    #expect(first?.origin == .born)
    #expect(layers.count == 4 + 3 * 3 + 1)
    #expect(place(layers.last) == NodeCall(node: 0))
  }
}
