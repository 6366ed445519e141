import OcellusEngine
import OcellusModelFile
import Testing

/// One model for every class of vulnerability that the neighbouring runtimes have had: each is
/// refused with an error that names its node, or runs; nothing traps, hangs or takes memory.
@Suite struct CrasherTests {
  private static let models =
    HostileModel.divisions + HostileModel.indices + HostileModel.sizes + HostileModel.graphs
    + HostileModel.calls

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

  /// The models are as hostile as they are meant to be, not refused for another reason.
  @Test func everyClassNamesItsOperator() throws {
    let operators = Set(Self.models.flatMap { $0.writer.subgraphs[0].operators.map(\.code.name) })
    #expect(operators.isSuperset(of: ["CONV_2D", "GATHER", "FILL", "WHILE", "READ_VARIABLE"]))
    #expect(operators.filter { $0.hasPrefix("BUILTIN_") }.isEmpty)
  }
}
