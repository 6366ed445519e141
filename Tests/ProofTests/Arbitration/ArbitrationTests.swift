import OcellusAudit
import OcellusEngine
import OcellusProof
import OcellusTestSupport
import Testing

/// Planted lies are attributed to the liar, after few questions.
@Suite struct ArbitrationTests {
  private let chain = DisputedChain()
  private let honest: Receipt

  init() throws { honest = try chain.receipt() }

  private func rule(
    _ first: Receipt, _ second: Receipt, kept archives: [TensorArchive]? = nil
  ) throws -> Ruling {
    let source: OperandSource =
      try archives.map { .kept($0) } ?? .computed(chain.interpreter())
    let court = Court(of: try Model(bytes: chain.bytes), operands: source, version: "1")
    return try court.ruling(on: Party(name: "A", first), Party(name: "B", second))
  }

  /// ⌈log₂ nodes⌉ + 3.
  private var mostExchanges: Int {
    var (bits, reach) = (0, 1)
    while reach < DisputedChain.nodeCount { (bits, reach) = (bits + 1, 2 * reach) }
    return bits + 3
  }

  @Test func liarsAreFound() throws {
    for node in 0..<DisputedChain.nodeCount {
      let forged = honest.lying(from: node)
      let ruling = try rule(honest, forged)
      #expect(ruling.outcome == .secondIsWrong, "node \(node): \(ruling.reason)")
      #expect(ruling.dispute?.agreedCount == node)
      #expect(ruling.exchangeCount <= mostExchanges)
      #expect(try rule(forged, honest).outcome == .firstIsWrong)
    }
  }

  @Test func twoLiarsAreBothFound() throws {
    var other = honest.lying(from: 20)
    other.nodes[20].outputs[0].hash = String(repeating: "0", count: 64)
    #expect(try rule(honest.lying(from: 20), other).outcome == .bothAreWrong)
    #expect(try rule(honest.lying(from: 9), honest.lying(from: 20)).outcome == .firstIsWrong)
  }

  @Test func keptTensorsReplaceTheInput() throws {
    let folder = try TemporaryDirectory()
    let store = try TensorStore(path: folder.path)
    let kept = try chain.receipt(keep: store.keep)
    try store.close()
    let archive = try TensorArchive(path: folder.path)
    for node in [0, 1, 27, DisputedChain.nodeCount - 1] {
      let ruling = try rule(kept.lying(from: node), kept, kept: [archive])
      #expect(ruling.outcome == .firstIsWrong, "\(ruling.reason)")
      #expect(ruling.operandByteCount == 48)
    }
  }

  /// Bits of other kernels are neither right nor wrong where these cannot be repeated.
  @Test func roundingIsNoLie() throws {
    var fast = try chain.receipt(.fast)
    guard fast.root != honest.root else { return }
    #expect(try rule(honest, fast).outcome == .bothAreRight)
    fast.setting.version = "2"
    fast = fast.lying(from: 0)
    let ruling = try rule(honest, fast)
    #expect(ruling.outcome == .undecided, "\(ruling.reason)")
  }

  /// Each party's node is computed by the rules that its receipt names.
  @Test(arguments: [Interpreter.Numerics.bfloat16, .litert(.avx2)])
  func otherRulesAreNoLie(numerics: Interpreter.Numerics) throws {
    let other = try chain.receipt(numerics)
    #expect(other.root != honest.root)
    #expect(try rule(honest, other).outcome == .bothAreRight)
    #expect(try rule(honest, other.lying(from: 0)).outcome == .secondIsWrong)
  }

  @Test func otherNodesThanTheModels() throws {
    var renamed = honest
    renamed.nodes[4].operatorName = "MUL"
    #expect(try rule(honest, renamed).outcome == .secondIsWrong)
    var shorter = honest
    shorter.nodes.removeLast(3)
    #expect(try rule(shorter, honest).outcome == .firstIsWrong)
    var longer = honest
    longer.nodes.append(honest.nodes[0])
    #expect(try rule(honest, longer).outcome == .secondIsWrong)
    var reshaped = honest
    reshaped.nodes[30].outputs[0].shape = [12, 1]
    #expect(try rule(reshaped, honest).outcome == .firstIsWrong)
  }

  @Test func outputsThatNoNodeMade() throws {
    var forged = honest
    forged.outputs[0].hash = String(forged.outputs[0].hash.reversed())
    #expect(try rule(forged, honest).outcome == .firstIsWrong)
  }

  @Test func otherQuestionsAreNoDispute() throws {
    #expect(try rule(honest, honest).outcome == .same)
    var other = honest
    other.inputs[0].hash = String(other.inputs[0].hash.reversed())
    #expect(try rule(honest, other).outcome == .otherQuestions)
    other = honest
    other.modelHash = String(other.modelHash.reversed())
    #expect(try rule(honest, other).outcome == .otherQuestions)
  }
}
