import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusKernelABI
import OcellusKernelDispatch
import Testing

@Suite struct ReceiptTests {
  private func root(_ model: Model, _ options: Interpreter.Options) throws -> String {
    var options = options
    options.runsNodesSeparately = true
    let interpreter = try Interpreter(model, options: options)
    try interpreter.fillInputs()
    return try ReceiptRecorder().receipt(of: interpreter).root
  }

  @Test(arguments: AuditedModels.all)
  func rootsAreTheSameEverywhere(path: String) throws {
    let model = try Model(path: path)
    let root = try root(model, .init(numerics: .exact))
    for (index, table) in KernelTable.available.enumerated() {
      for threads in AuditedModels.sample(of: [1, 2, 8], model: path, instructionSet: index) {
        #expect(
          try self.root(
            model, .init(threads: threads, numerics: .exact, instructionSet: table.name)) == root,
          "\(table.name), \(threads) threads")
      }
    }
  }

  @Test func everyChangeChangesTheRoot() throws {
    let chain = SyntheticChain()
    let receipt = try chain.receipt()
    var seen: Set = [receipt.root]
    #expect(seen.insert(try chain.changingWeight(of: 59).receipt().root).inserted)
    #expect(seen.insert(try chain.changingOption(of: 59).receipt().root).inserted)
    let other = try chain.interpreter()
    try other.main.withInputBytes(at: 0) { $0[0] ^= 1 }
    #expect(seen.insert(try ReceiptRecorder().receipt(of: other).root).inserted)
    var prepared = receipt
    prepared.pictureHashes = ["00"]
    #expect(seen.insert(prepared.root).inserted)
    prepared.preparations = [.init(property: "fit", value: "stretch")]
    #expect(seen.insert(prepared.root).inserted)
    prepared.preparations = [.init(property: "fit", value: "letterbox")]
    #expect(seen.insert(prepared.root).inserted)
    // The settings of a run are reported, but the root does not cover them.
    var elsewhere = receipt
    elsewhere.setting = .init(version: "9", instructionSet: "z", threads: 99, numerics: "exact")
    #expect(elsewhere.root == receipt.root)
  }

  @Test func receiptsAreReadBack() throws {
    let receipt = try SyntheticChain().receipt()
    let text = receipt.json.text
    let read = try Receipt(JSONParser.parse(Array(text.utf8)))
    #expect(read == receipt)
    #expect(read.json.text == text)
  }

  /// A damaged receipt gives an error that says what is missing.
  @Test func damagedReceiptsAreRefused() throws {
    let text = try SyntheticChain().receipt().json.text
    for (old, new) in [
      ("ocellus-receipt", "ocellus-trace"), ("\"schema_version\": 1", "\"schema_version\": 2"),
      ("\"inputs\"", "\"input\""), ("\"float32\"", "\"float33\""),
      ("\"nodes\": [", "\"nodes\": [1, "),
      ("\"node\": 3", "\"node\": 4"), ("\"bytes\": ", "\"bytes\": 1"),
    ] {
      let damaged = text.replacing(old, with: new, maxReplacements: 1)
      #expect(damaged != text)
      #expect(throws: AuditError.self, "\(new)") {
        _ = try Receipt(JSONParser.parse(Array(damaged.utf8)))
      }
    }
    for json: JSONValue in [.null, [], 3, "receipt", [:]] {
      #expect(throws: AuditError.self) { _ = try Receipt(json) }
    }
  }
}
