public import OcellusEngine

/// A test that a new version of a model must pass before it replaces the current version.
public struct ModelSelfTest: Sendable {
  let run: @Sendable (_ candidate: StoredModel) throws -> Void

  /// Creates a custom test, for example on pictures with known objects; an error rejects the
  /// version.
  public init(_ run: @escaping @Sendable (_ candidate: StoredModel) throws -> Void) {
    self.run = run
  }

  /// Loads the model, plans it, and runs it once on zeros, within a budget.
  public static func runs(
    within budget: RunBudget = RunBudget(bytes: 2 << 30, time: .seconds(60))
  ) -> ModelSelfTest {
    ModelSelfTest { candidate in
      let model = try Model(path: candidate.path)
      let interpreter = try Interpreter(model, options: .init(budget: budget))
      try interpreter.run()
    }
  }

  /// Runs the test on a model.
  package func check(_ model: StoredModel) throws { try run(model) }

  /// No test: a version with the right digest is accepted.
  public static let none = ModelSelfTest { _ in }
}
