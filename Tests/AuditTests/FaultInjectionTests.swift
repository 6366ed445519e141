import OcellusAudit
import OcellusEngine
import OcellusImaging
import OcellusPlatform
import OcellusTestSupport
import Testing

/// A fault in any of sixty nodes is attributed to that node and to no other.
@Suite struct FaultInjectionTests {
  private let chain = SyntheticChain()

  /// Returns the first layer in which two streams differ.
  private func firstDifference(
    _ first: any TensorStream, _ second: any TensorStream
  ) throws -> LayerComparison? {
    var found: LayerComparison?
    try RunComparison(first, second).run { layer in
      if found == nil, layer.difference?.isNone == false { found = layer }
    }
    return found
  }

  private func live(_ chain: SyntheticChain) throws -> LiveStream {
    LiveStream(try chain.interpreter(), title: "live")
  }

  @Test func nothingDiffersWithoutFault() throws {
    #expect(try firstDifference(live(chain), live(chain)) == nil)
    let receipt = try chain.receipt()
    #expect(try receipt.verdict(comparedWith: chain.receipt()).holds)
    #expect(receipt.nodes.count == SyntheticChain.nodeCount)
  }

  @Test(arguments: [true, false])
  func changedModelsAreLocated(changesWeight: Bool) throws {
    let receipt = try chain.receipt()
    for node in 0..<SyntheticChain.nodeCount {
      let faulty =
        changesWeight ? chain.changingWeight(of: node) : chain.changingOption(of: node)
      let layer = try #require(try firstDifference(live(chain), live(faulty)), "node \(node)")
      #expect(layer.secondNode == node)
      #expect(layer.origin == .born)
      let other = try faulty.receipt()
      let verdict = receipt.verdict(comparedWith: other)
      #expect(verdict.node?.index == node)
      #expect(verdict.otherQuestions.count == 1 && receipt.root != other.root)
    }
  }

  /// Nodes after the faulty one inherit the difference.
  @Test func whatFollowsAFaultInheritsIt() throws {
    var origins: [LayerComparison.Origin] = []
    try RunComparison(live(chain), live(chain.changingWeight(of: 30))).run {
      origins.append($0.origin)
    }
    #expect(origins[..<30].allSatisfy { $0 == .none })
    #expect(origins[30] == .born)
    #expect(origins[31...].allSatisfy { $0 == .inherited || $0 == .none })
    #expect(origins[31] == .inherited)
  }

  /// One changed bit in the stored result of a node is attributed to that node.
  @Test func changedTensorsAreLocated() throws {
    let folder = try TemporaryDirectory()
    let kept = try keep(chain, in: folder.path)
    let model = try chain.model()
    for node in 0..<SyntheticChain.nodeCount {
      let file = "\(folder.path)/\(2 * node + 2)-result_\(node).npy"
      let bytes = try FileSystem.read(file)
      var changed = bytes
      changed[bytes.count - 8] ^= 1
      try FileSystem.write(changed, to: file)
      let archive = try TensorArchive(path: folder.path)
      let layer = try #require(
        try firstDifference(live(chain), StoredTensorStream(archive, model: model)), "node \(node)")
      #expect(layer.firstNode == node && layer.origin == .born)
      #expect(layer.difference?.differentCount == 1 && layer.difference?.units == 1)
      var generator = SeededGenerator(seed: 1)
      let sample = ReceiptSample(of: kept, model: model, archive: archive, options: .init())
      let (verdict, _) = try sample.check(.max, using: &generator)
      #expect(verdict.node?.index == node)
      try FileSystem.write(bytes, to: file)
    }
  }

  @Test func forgedReceiptsAreSeenThrough() throws {
    let folder = try TemporaryDirectory()
    let kept = try keep(chain, in: folder.path)
    let model = try chain.model()
    let archive = try TensorArchive(path: folder.path)
    for node in 0..<SyntheticChain.nodeCount {
      var forged = kept
      forged.nodes[node].outputs[0].hash = String(kept.nodes[node].outputs[0].hash.reversed())
      #expect(forged.root != kept.root)
      #expect(forged.verdict(comparedWith: kept).node?.index == node)
      var generator = SeededGenerator(seed: UInt64(node))
      let sample = ReceiptSample(of: forged, model: model, archive: archive, options: .init())
      #expect(try sample.check(.max, using: &generator).verdict.node?.index == node)
    }
  }

  /// Where a model rounds floats to bytes, its nodes round each product, and so do samples.
  @Test func samplesOfModelsThatRoundAreExact() throws {
    let folder = try TemporaryDirectory()
    let rounding = chain.quantizingResult()
    let kept = try keep(rounding, in: folder.path)
    let sample = ReceiptSample(
      of: kept, model: try rounding.model(), archive: try TensorArchive(path: folder.path),
      options: .init())
    var generator = SeededGenerator(seed: 2)
    let (verdict, nodes) = try sample.check(.max, using: &generator)
    #expect(verdict.node == nil && verdict.outcome == .holds, "\(verdict)")
    #expect(nodes.count == SyntheticChain.nodeCount + 1)
  }

  /// Runs a chain and stores its tensors in a directory.
  private func keep(_ chain: SyntheticChain, in path: String) throws -> Receipt {
    let store = try TensorStore(path: path)
    return try ReceiptRecorder(keep: store.keep).receipt(of: chain.interpreter())
  }
}
