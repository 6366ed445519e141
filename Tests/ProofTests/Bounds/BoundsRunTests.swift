import OcellusArrays
import OcellusAudit
import OcellusEngine
import OcellusModelFile
import OcellusPlatform
import OcellusProof
import OcellusTestSupport
import Testing

/// The bounds of whole runs, and judgements about other runtimes' tensors.
@Suite struct BoundsRunTests {
  private let chain = DisputedChain()
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func nodes(
    _ interpreter: Interpreter, _ scope: BoundsRun.Scope
  ) throws -> (nodes: [NodeBound], run: BoundsRun) {
    var nodes: [NodeBound] = []
    let run = BoundsRun(of: try Model(bytes: chain.bytes), .init(), scope) { nodes.append($0) }
    interpreter.observer = run
    try interpreter.run()
    interpreter.observer = nil
    return (nodes, run)
  }

  @Test func everyNodeIsBoundedFromItsOperands() throws {
    let (nodes, _) = try nodes(chain.interpreter(), .nodes)
    #expect(nodes.count == DisputedChain.nodeCount)
    for node in nodes {
      #expect(node.outside == nil)
      let summary = try #require(node.summaries.first)
      #expect(summary.unboundedCount == 0 && summary.widestRelative < 3e-6)
    }
  }

  @Test func boundsGrowThroughTheNetwork() throws {
    let (nodes, run) = try nodes(chain.interpreter(), .network)
    let widths = try nodes.map { try #require($0.summaries.first?.widestRelative) }
    #expect(widths[54] > 3 * widths[2] && widths[54].isFinite)
    #expect(nodes.allSatisfy { $0.outside == nil })
    let output = try #require(run.results.values.first)
    for options in [
      Interpreter.Options(), .init(usesReferenceKernels: true), .init(numerics: .exact),
    ] {
      let other = try Interpreter(Model(bytes: chain.bytes), options: options)
      try other.setInput(at: 0, to: chain.interpreter().output(ofInput: 0))
      try other.run()
      for (index, number) in try other.output(at: 0, as: Float.self).enumerated() {
        #expect(output.low.floats[index] <= number && number <= output.high.floats[index])
      }
    }
  }

  // MARK: Another runtime's tensors

  /// Keeps the tensors of a run as arrays, as other runtimes' scripts do.
  private func dump(leavingOut node: Int? = nil) throws -> String {
    let path = folder.path + "/tensors"
    let store = try TensorStore(path: path)
    let interpreter = try chain.interpreter()
    let input = try #require(try interpreter.main.storedInputs().first)
    try store.write(
      NPYArray(of: input.type, shape: input.shape.dimensions, bytes: input.bytes).file,
      named: "0-x.npy")
    let tracer = Tracer(
      level: .full, selection: try TraceSelection([]),
      keep: { tensor, subgraph, call, bytes in
        try tensor.name == "result \(node ?? -1)"
          ? nil : store.keep(tensor, subgraph: subgraph, call: call, bytes)
      }
    ) { _ in }
    interpreter.observer = tracer
    try interpreter.run()
    try tracer.check()
    try store.close()
    return path
  }

  private func judge(_ path: String) throws -> [NodeBound] {
    var nodes: [NodeBound] = []
    let judge = BoundsJudge(
      of: try Model(bytes: chain.bytes), [try TensorArchive(path: path)], .init())
    try judge.judge { nodes.append($0) }
    return nodes
  }

  /// Changes a number of an array by units in the last place.
  private func spoil(_ path: String, result node: Int, units: UInt32) throws {
    let file = "\(path)/\(2 + 2 * node)-result_\(node).npy"
    let array = try NPYArray(file: FileSystem.read(file))
    var bytes = array.bytes
    bytes.withUnsafeMutableBytes { bytes in
      let bits = bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
      bytes.storeBytes(of: bits &+ units, toByteOffset: 8, as: UInt32.self)
    }
    let spoilt = NPYArray(element: array.element, shape: array.shape, bytes: bytes)
    try FileSystem.write(spoilt.file, to: file)
  }

  @Test func honestTensorsAreAcquitted() throws {
    let nodes = try judge(dump())
    #expect(nodes.count == DisputedChain.nodeCount)
    #expect(nodes.allSatisfy { $0.outside == nil && !$0.summaries.isEmpty })
  }

  @Test func oneFaultConvictsOneNode() throws {
    let path = try dump()
    // An addition, whose bounds are a unit wide.
    try spoil(path, result: 37, units: 10)
    let outside = try judge(path).filter { $0.outside != nil }
    // The node behind it is judged by the operand that it had, though that is wrong.
    let units = try #require(outside.first?.outside?.worst?.units)
    #expect(outside.first?.index == 37 && units >= 8 && units <= 10)
    #expect(outside.allSatisfy { $0.index == 37 || $0.index == 38 })
  }

  @Test func boundsReplaceWhatWasNotKept() throws {
    let path = try dump(leavingOut: 20)
    let nodes = try judge(path)
    guard case .unseen = nodes[20].outcome else {
      Issue.record("\(nodes[20])")
      return
    }
    #expect(nodes[21].outside == nil && !nodes[21].summaries.isEmpty)
    try spoil(path, result: 21, units: 1 << 12)
    #expect(try judge(path)[21].outside != nil)
  }

  @Test func tensorsOfOtherExtentsAreNotJudged() throws {
    let path = try dump()
    let array = NPYArray(element: .float32, shape: [3], bytes: Array(repeating: 0, count: 12))
    try FileSystem.write(array.file, to: "\(path)/\(2 + 2 * 10)-result_10.npy")
    let nodes = try judge(path)
    guard case .notBounded = nodes[10].outcome else {
      Issue.record("\(nodes[10])")
      return
    }
  }
}

extension Interpreter {
  /// The numbers of an input.
  fileprivate func output(ofInput index: Int) throws -> [Float] {
    try main.storedInputs()[index].floats
  }
}
