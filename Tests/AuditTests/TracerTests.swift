import OcellusAudit
import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import Testing

@Suite struct TracerTests {
  private func trace(
    _ interpreter: Interpreter, _ level: TraceLevel, keep: Tracer.Keep? = nil
  ) throws -> [NodeTrace] {
    var nodes: [NodeTrace] = []
    let tracer = Tracer(level: level, keep: keep) { event in
      if case .node(let node) = event { nodes.append(node) }
    }
    interpreter.observer = tracer
    try interpreter.run()
    interpreter.observer = nil
    try tracer.check()
    return nodes
  }

  /// Tracing leaves the outputs' bits unchanged, with every instruction set and level, and with
  /// threads by turns.
  @Test(arguments: AuditedModels.all)
  func lookingChangesNothing(path: String) throws {
    let model = try Model(path: path)
    for (index, table) in KernelTable.available.enumerated() {
      let plain = try Interpreter(model, options: .init(instructionSet: table.name))
      try plain.fillInputs()
      try plain.run()
      let expected = try plain.outputBytes()
      let ways = [(1, true), (2, true), (8, false)]
      for (threads, isApart) in AuditedModels.sample(
        of: ways, model: path, instructionSet: index)
      {
        let interpreter = try Interpreter(
          model,
          options: .init(
            threads: threads, instructionSet: table.name, runsNodesSeparately: isApart))
        for level in TraceLevel.allCases {
          // Variable tensors must start from zero in each run.
          interpreter.resetState()
          try interpreter.fillInputs()
          _ = try trace(interpreter, level)
          #expect(
            try interpreter.outputBytes() == expected,
            "\(table.name), \(threads) threads, \(isApart ? "apart" : "as run"), \(level)")
        }
      }
    }
  }

  /// Every node of the main subgraph is traced once, in the file's order, with its results; a plan
  /// with fused nodes gives the digests of separately executed nodes.
  @Test(arguments: AuditedModels.all)
  func everyNodeIsSeen(path: String) throws {
    let model = try Model(path: path)
    let apart = try Interpreter(model, options: .init(runsNodesSeparately: true))
    try apart.fillInputs()
    let all = try trace(apart, .digest).filter { $0.subgraph == 0 }
    #expect(all.map(\.index) == Array(0..<model.nodeCount))
    let planned = apart.plan.nodes
    for node in all {
      #expect(!node.outputs.contains { !$0.isInMemory }, "node \(node.index)")
      #expect(node.multiplyAdds == planned[node.index].multiplyAdds)
    }
    #expect(all.reduce(0) { $0 + $1.multiplyAdds } == apart.plan.multiplyAdds)

    let asRun = try Interpreter(model)
    try asRun.fillInputs()
    let some = try trace(asRun, .digest).filter { $0.subgraph == 0 }
    #expect(some.map(\.index) == Array(0..<model.nodeCount))
    for (node, reference) in zip(some, all) {
      for (tensor, whole) in zip(node.outputs, reference.outputs) where tensor.isInMemory {
        #expect(tensor.digest == whole.digest, "node \(node.index) of \(path)")
        #expect(tensor.shape == whole.shape)
      }
    }
  }

  /// A digest equals that of the tensor's bytes, even if it is taken over from a view's operand.
  @Test(arguments: AuditedModels.all)
  func digestsAreThoseOfTheBytes(path: String) throws {
    for isApart in [true, false] {
      let interpreter = try Interpreter(
        Model(path: path), options: .init(runsNodesSeparately: isApart))
      var seenCount = 0
      let tracer = Tracer(level: .full) { tensor, _, _, bytes in
        seenCount += 1
        #expect(tensor.digest == TensorDigest.digest(bytes), "tensor \(tensor.index) of \(path)")
        return nil
      } report: { _ in
      }
      interpreter.observer = tracer
      try interpreter.fillInputs()
      try interpreter.run()
      for input in interpreter.main.inputs.indices {
        try interpreter.main.withInputBytes(at: input) { bytes in
          for index in bytes.indices { bytes[index] &= 0x3F }
        }
      }
      try interpreter.run()
      try tracer.check()
      #expect(seenCount > 0)
    }
  }

  @Test func nodesAreSelected() throws {
    let interpreter = try SyntheticChain().interpreter()
    func count(_ texts: String...) throws -> Int {
      var count = 0
      interpreter.observer = Tracer(level: .shapes, selection: try TraceSelection(texts)) {
        if case .node = $0 { count += 1 }
      }
      try interpreter.run()
      return count
    }
    #expect(try count() == 60)
    #expect(try count("MUL") == 20)
    #expect(try count("result 7") == 1)
    #expect(try count("3..9", "5", "58..99") == 9)
    #expect(try count("nothing") == 0)
    #expect(throws: AuditError.self) { try TraceSelection(["9..3"]) }
  }

  @Test func whatCannotBeKeptEndsInAnError() throws {
    let interpreter = try SyntheticChain().interpreter()
    var kept = 0
    #expect(throws: AuditError.self) {
      _ = try trace(interpreter, .full) { _, _, _, _ in
        kept += 1
        if kept == 3 { throw AuditError("full") }
        return nil
      }
    }
    #expect(kept == 3)
  }

  @Test(arguments: ["kept", "kept.npz"])
  func keptTensorsAreReadBack(name: String) throws {
    let folder = try TemporaryDirectory()
    let store = try TensorStore(path: "\(folder.path)/\(name)")
    var seen: [Int: [UInt8]] = [:]
    let nodes = try trace(SyntheticChain().interpreter(), .full) { tensor, subgraph, call, bytes in
      seen[tensor.index] = Array(bytes)
      return try store.keep(tensor, subgraph: subgraph, call: call, bytes)
    }
    try store.close()
    let archive = try TensorArchive(path: "\(folder.path)/\(name)")
    #expect(nodes.count == SyntheticChain.nodeCount)
    for tensor in nodes.flatMap(\.outputs) {
      let read = try archive.tensor(
        tensor.index, name: tensor.name, type: tensor.type, quantization: nil)
      #expect(read?.bytes == seen[tensor.index])
      // Reads by name alone, as another program would.
      #expect(try archive.array(999, name: "\(tensor.index)-\(tensor.name)") != nil)
    }
    #expect(try archive.array(5000, name: "no such") == nil)
  }
}
