public import OcellusEngine

/// What a new version of a model has to do before the one before it is given up.
public struct ModelSelfTest: Sendable {
  let run: @Sendable (_ candidate: StoredModel) throws -> Void

  /// A test of one's own, such as pictures whose objects are known: what it throws rejects the version.
  public init(_ run: @escaping @Sendable (_ candidate: StoredModel) throws -> Void) {
    self.run = run
  }

  /// The model is read, planned, and run once on zeros, within a budget.
  public static func runs(
    within budget: RunBudget = RunBudget(bytes: 2 << 30, time: .seconds(60))
  ) -> ModelSelfTest {
    ModelSelfTest { candidate in
      let model = try Model(path: candidate.path)
      let interpreter = try Interpreter(model, options: .init(budget: budget))
      try interpreter.run()
    }
  }

  /// Tries a model.
  package func check(_ model: StoredModel) throws { try run(model) }

  /// Nothing: what has the right digest is good.
  public static let none = ModelSelfTest { _ in }
}
