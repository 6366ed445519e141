import OcellusEngine
import OcellusModelFile
import Testing

/// Models of every class of vulnerability that other runtimes have had are harmless here.
///
/// Each is refused with an error or runs; nothing traps, hangs or exhausts memory.
@Suite struct CrasherTests {
  private static let models =
    HostileModel.divisions + HostileModel.indices + HostileModel.sizes + HostileModel.graphs
    + HostileModel.calls + HostileModel.work

  private static let budget = RunBudget(
    bytes: 64 << 20, multiplyAdds: 100_000_000, time: .milliseconds(500))

  @Test(arguments: models, [false, true])
  func staysHarmless(model: HostileModel, usesReferenceKernels: Bool) throws {
    do throws(ModelError) {
      let interpreter = try Interpreter(
        Model(bytes: model.writer.bytes()),
        options: .init(budget: Self.budget, usesReferenceKernels: usesReferenceKernels))
      try interpreter.run()
      #expect(!model.mustFail, "it runs")
    } catch {
      #expect(!error.message.isEmpty)
    }
  }

  /// A plan that exceeds its budget packs no weights and releases all its memory.
  @Test func weightsAreChargedBeforeTheyArePacked() throws {
    let writer = HostileModel.sharedWeights(nodes: 8, units: 256, depth: 256)
    let model = try Model(bytes: writer.bytes())
    let poor = try Interpreter(model, options: .init(budget: RunBudget(bytes: 1 << 20)))
    let error = #expect(throws: ModelError.self) { try poor.run() }
    #expect(error?.kind == .overBudget)
    #expect(poor.memoryInUse < 1 << 16)
    // The failed plan must not leave anything behind that a later plan takes for packed weights.
    for usesReferenceKernels in [false, true] {
      let rich = try Interpreter(
        model, options: .init(usesReferenceKernels: usesReferenceKernels))
      try rich.setInput(at: 0, to: (0..<256).map { Float($0 % 3) })
      try rich.run()
      #expect(try rich.output(at: 7, as: Float.self) == [Float](repeating: 255, count: 256))
    }
  }

  /// All operators have names from the schema, so none is refused as an unknown operator.
  @Test func everyClassNamesItsOperator() throws {
    let operators = Set(Self.models.flatMap { $0.writer.subgraphs[0].operators.map(\.code.name) })
    #expect(operators.isSuperset(of: ["CONV_2D", "GATHER", "FILL", "WHILE", "READ_VARIABLE"]))
    #expect(operators.filter { $0.hasPrefix("BUILTIN_") }.isEmpty)
  }
}
