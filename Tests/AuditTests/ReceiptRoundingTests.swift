import OcellusArrays
import OcellusAudit
import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform
import OcellusTestSupport
import Testing

/// Honest receipts of floats that another instruction set, version or library rounds differently.
@Suite struct ReceiptRoundingTests {
  private let chain = SyntheticChain()

  /// Returns a receipt whose kernels round as those of an instruction set do.
  private func receipt(
    _ model: Model, _ instructionSet: String, keep: ReceiptRecorder.Keep? = nil
  ) throws -> Receipt {
    let interpreter = try Interpreter(
      model, options: .init(instructionSet: instructionSet, runsNodesSeparately: true))
    try interpreter.fillInputs()
    return try ReceiptRecorder(keep: keep).receipt(of: interpreter)
  }

  /// Returns an honest receipt and another one, in which a node has another result.
  private func pair(changing node: Int) throws -> (honest: Receipt, other: Receipt) {
    var honest = try chain.receipt()
    honest.setting.instructionSet = "avx2"
    var other = honest
    other.nodes[node].outputs[0].hash = String(honest.nodes[node].outputs[0].hash.reversed())
    if node == SyntheticChain.nodeCount - 1 { other.outputs = other.nodes[node].outputs }
    other.setting.instructionSet = "baseline"
    return (honest, other)
  }

  @Test(arguments: [
    ("exact", "avx2", "baseline", "1", false), ("reference", "avx2", "baseline", "2", false),
    ("fast", "avx2", "avx512", "1", false), ("fast", "avx512", "neon", "1", false),
    ("fast", "baseline", "baseline", "1", false), ("fast", "avx2", "baseline", "1", true),
    ("fast", "baseline", "i8mm", "1", true), ("fast", "avx2", "avx2", "2", true),
    ("blas", "avx2", "avx2", "1", true), ("bfloat16", "avx512", "avx2", "1", false),
    ("bfloat16", "avx2", "baseline", "1", true), ("bfloat16", "avx2", "avx2", "2", true),
  ])
  func settingsSayWhatTheyPromise(
    numerics: String, stated: String, own: String, version: String, mayDiffer: Bool
  ) {
    let setting = { (name: String, version: String) in
      Receipt.Setting(version: version, instructionSet: name, threads: 1, numerics: numerics)
    }
    let cause = setting(stated, "1").roundingCause(in: setting(own, version))
    #expect((cause != nil) == mayDiffer)
  }

  /// Floats may differ where the setting says so, and nowhere else.
  @Test(arguments: [0, 7, SyntheticChain.nodeCount - 1])
  func roundedFloatsAreUndecided(node: Int) throws {
    let model = try chain.model()
    let (honest, other) = try pair(changing: node)
    let verdict = honest.verdict(comparedWith: other, of: model)
    #expect(verdict.outcome == .undecided && verdict.node == nil)
    guard case .rounding(.instructionSet, nodeCount: 1, isMeasured: false) = verdict.obstacle else {
      Issue.record("\(verdict)")
      return
    }
    // With the same kernels, all bits must be the same.
    var alike = other
    alike.setting.instructionSet = honest.setting.instructionSet
    #expect(honest.verdict(comparedWith: alike, of: model).node?.index == node)
    // Exact receipts hold everywhere.
    var exact = honest
    exact.setting.numerics = "exact"
    #expect(exact.verdict(comparedWith: other, of: model).node?.index == node)
  }

  /// Rounding explains neither another structure nor outputs that are no results.
  @Test func roundingExplainsNoOtherStructure() throws {
    let model = try chain.model()
    let (honest, other) = try pair(changing: 3)
    let changes: [(inout Receipt) -> Void] = [
      { $0.nodes[20].operatorName = "SUB" }, { $0.nodes[20].index = 21 },
      { $0.nodes[20].outputs[0].shape = [12] }, { $0.nodes[20].outputs[0].type = .int32 },
      { $0.nodes[20].outputs = [] }, { $0.nodes.removeLast() }, { $0.nodes.swapAt(8, 9) },
      { $0.outputs[0].hash = $0.nodes[4].outputs[0].hash }, { $0.outputs = [] },
      { $0.modelHash = "00" }, { $0.inputs[0].hash = "00" }, { $0.pictureHashes = ["00"] },
    ]
    for (index, change) in changes.enumerated() {
      var forged = honest
      change(&forged)
      #expect(
        forged.verdict(comparedWith: other, of: model).outcome == .differs, "change \(index)")
    }
  }

  /// Nodes of integers are compared although floats follow them.
  @Test func integersAreCompared() throws {
    let path = try #require(AuditedModels.all.first { $0.hasSuffix("scenes-detector.tflite") })
    let model = try Model(path: path)
    let honest = try receipt(model, KernelTable.best.name)
    var other = honest
    other.setting.instructionSet = honest.setting.instructionSet == "baseline" ? "avx2" : "baseline"
    #expect(honest.verdict(comparedWith: other, of: model).holds)
    let integers = honest.nodes.indices.filter { node in
      honest.nodes[node].outputs.allSatisfy { $0.type == .int8 }
    }
    #expect(integers.count > 10)
    for node in integers {
      var forged = honest
      forged.nodes[node].outputs[0].hash = "00"
      let verdict = forged.verdict(comparedWith: other, of: model)
      #expect(verdict.node?.index == honest.nodes[node].index)
    }
  }

  /// Every instruction set of this processor: what is the same holds, and the rest is undecided.
  @Test(arguments: AuditedModels.all)
  func instructionSetsAgreeOrAreUndecided(path: String) throws {
    let model = try Model(path: path)
    let receipts = try KernelTable.available.map { try receipt(model, $0.name) }
    for stated in receipts {
      for found in receipts {
        let verdict = stated.verdict(comparedWith: found, of: model)
        #expect(verdict.outcome == (stated.root == found.root ? .holds : .undecided))
      }
    }
  }

  // MARK: Kept tensors

  /// Tensors show whether a difference is one of rounding.
  @Test func keptTensorsMeasureTheDifference() throws {
    let model = try chain.model()
    let setting = Receipt.Setting(
      version: "", instructionSet: "baseline", threads: 1, numerics: "fast")
    for (factor, outcome) in [(1 + 3e-7, ReceiptVerdict.Outcome.undecided), (1.01, .differs)] {
      let folder = try TemporaryDirectory()
      let store = try TensorStore(path: folder.path)
      // Results of the last node are stored, and hashed, with an error.
      let last = SyntheticChain.nodeCount - 1
      var receipt = try ReceiptRecorder(keep: store.keep).receipt(of: chain.interpreter())
      receipt.setting.instructionSet = "avx2"
      let result = receipt.nodes[last].outputs[0]
      let archive = try TensorArchive(path: folder.path)
      let kept = try #require(
        try archive.tensor(result.index, name: result.name, type: .float32, quantization: nil))
      let values = kept.bytes.withUnsafeBytes { $0.bindMemory(to: Float.self).map { $0 } }
      let changed = values.map { Float(Double($0) * factor) }
      #expect(changed != values)
      let bytes = changed.withUnsafeBytes { Array($0) }
      let array = NPYArray(element: .float32, shape: result.shape.dimensions, bytes: bytes)
      try FileSystem.write(array.file, to: "\(folder.path)/\(2 * last + 2)-result_\(last).npy")
      receipt.nodes[last].outputs[0].hash = SHA256.hash(bytes).hexadecimal
      let sample = ReceiptSample(
        of: receipt, model: model, archive: try TensorArchive(path: folder.path),
        options: .init(), cause: receipt.setting.roundingCause(in: setting))
      var generator = SeededGenerator(seed: 4)
      let verdict = try sample.check(.max, using: &generator).verdict
      #expect(verdict.outcome == outcome, "\(factor): \(verdict)")
    }
  }

  /// Where no tensor was kept, nothing was checked.
  @Test func nothingKeptIsNothingChecked() throws {
    let folder = try TemporaryDirectory()
    let array = NPYArray(element: .uint8, shape: [1], bytes: [7])
    try FileSystem.write(array.file, to: folder.path + "/other.npy")
    let sample = ReceiptSample(
      of: try chain.receipt(), model: try chain.model(),
      archive: try TensorArchive(path: folder.path), options: .init())
    var generator = SeededGenerator(seed: 5)
    let (verdict, nodes) = try sample.check(.max, using: &generator)
    #expect(nodes.isEmpty && verdict.outcome == .undecided && verdict.obstacle == .noTensors)
  }

  // MARK: Without inputs

  @Test(arguments: AuditedModels.all)
  func modelsAreCheckedWithoutInput(path: String) throws {
    let model = try Model(path: path)
    let honest = try receipt(model, KernelTable.best.name)
    #expect(honest.verdictWithoutInput(of: model).obstacle == .noInput(isPicture: false))
    #expect(honest.verdictWithoutInput(of: model).outcome == .undecided)
    #expect(try honest.verdictWithoutInput(of: chain.model()).outcome == .differs)
    let last = honest.nodes.count - 1
    let changes: [(inout Receipt) -> Void] = [
      { $0.nodes[last].operatorName = "NOTHING" }, { $0.nodes[last].index = -1 },
      { $0.nodes[last].index = .max }, { $0.nodes[last].subgraph = -1 },
      { $0.nodes[last].outputs[0].index = .min }, { $0.inputs = [] }, { $0.outputs = [] },
    ]
    for (index, change) in changes.enumerated() {
      var forged = honest
      change(&forged)
      #expect(forged.verdictWithoutInput(of: model).outcome == .differs, "change \(index)")
    }
  }
}
