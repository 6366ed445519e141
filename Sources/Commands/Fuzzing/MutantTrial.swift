import OcellusEngine

/// Loads, plans and runs a mutant under a budget; whatever does not return is the engine's fault.
struct MutantTrial {
  /// How far a mutant came.
  enum Outcome: UInt8, CaseIterable {
    case refusedAtLoad, refusedAtPlan, refusedAtRun, ran

    /// The stable name in reports.
    var name: String {
      switch self {
      case .refusedAtLoad: "refused_at_load"
      case .refusedAtPlan: "refused_at_plan"
      case .refusedAtRun: "refused_at_run"
      case .ran: "ran"
      }
    }
  }

  /// Larger inputs stay zero: making values for them would take longer than all the rest.
  private static let largestFilledInput = 1 << 14
  /// Signatures beyond the first few are like those.
  private static let signatureLimit = 4

  let options: Interpreter.Options

  /// How far the mutant comes, and the error that stops it.
  func outcome(of bytes: [UInt8]) -> (outcome: Outcome, error: ModelError?) {
    var outcome = Outcome.refusedAtLoad
    do throws(ModelError) {
      let model = try Model(bytes: bytes)
      _ = MetadataReport(of: model.file)
      let interpreter = try Interpreter(model, options: options)
      outcome = .refusedAtPlan
      try interpreter.allocate()
      outcome = .refusedAtRun
      try run(interpreter.main)
      for key in model.signatureKeys.prefix(Self.signatureLimit) {
        try run(interpreter.signature(key))
      }
      return (.ran, nil)
    } catch {
      return (outcome, error)
    }
  }

  private func run(_ entry: EntryPoint) throws(ModelError) {
    try entry.allocate()
    for (index, input) in entry.inputs.enumerated()
    where input.shape.elementCount <= Self.largestFilledInput {
      try entry.fillInput(at: index)
    }
    try entry.run()
  }
}
