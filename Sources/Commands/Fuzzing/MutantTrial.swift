import OcellusEngine

/// Loads, plans and runs a mutant under a budget, several times and with other shapes; whatever does
/// not return is the engine's fault, and so are results that depend on how they are computed.
struct MutantTrial {
  /// How far a mutant came.
  enum Outcome: UInt8, CaseIterable {
    case refusedAtLoad, refusedAtPlan, refusedAtRun, ran, differed

    /// The stable name in reports.
    var name: String {
      switch self {
      case .refusedAtLoad: "refused_at_load"
      case .refusedAtPlan: "refused_at_plan"
      case .refusedAtRun: "refused_at_run"
      case .ran: "ran"
      case .differed: "differed"
      }
    }
  }

  /// Signatures beyond the first few are like those.
  private static let signatureLimit = 4

  let options: Interpreter.Options
  /// A folder with constants that the model may name; `nil` if it must not.
  var externalBufferFolder: String?
  /// Whether results of the way that has the bits of reference kernels are compared with theirs.
  var comparesExactly = false

  /// How far the mutant comes, and the error that stops it.
  func outcome(of bytes: [UInt8]) -> (outcome: Outcome, error: ModelError?) {
    var outcome = Outcome.refusedAtLoad
    do throws(ModelError) {
      let model = try Model(
        bytes: bytes, options: Model.Options(externalBufferFolder: externalBufferFolder))
      _ = MetadataReport(of: model.file)
      let interpreter = try Interpreter(model, options: options)
      outcome = .refusedAtPlan
      try interpreter.allocate()
      outcome = .refusedAtRun
      let course = MutantCourse(interpreter.main)
      let first = try course.results()
      for key in model.signatureKeys.prefix(Self.signatureLimit) {
        _ = try MutantCourse(interpreter.signature(key)).results()
      }
      // Resized or not, run once more or not: what comes of it is an error, or harmless.
      course.resize()
      let problem = difference(from: first, of: model)
      if let problem = problem ?? (comparesExactly ? exactDifference(of: model) : nil),
        isRepeatable(model)
      {
        return (.differed, ModelError(.invalidData, problem))
      }
      return (.ran, nil)
    } catch {
      return (outcome, error)
    }
  }

  /// What the other way of running the model makes of it, if that is something else.
  private func difference(from results: [MutantResult], of model: Model) -> String? {
    var others = options
    others.usesReferenceKernels.toggle()
    guard let other = try? fresh(model, others), let again = try? fresh(model, others) else {
      return nil
    }
    // Random numbers are no difference.
    guard other == again else { return nil }
    for (position, (result, other)) in zip(results, other).enumerated() {
      if let problem = result.difference(from: other) { return "output \(position): \(problem)" }
    }
    return nil
  }

  /// Whether results are the same in every run: what is drawn at random may be so twice by chance.
  private func isRepeatable(_ model: Model) -> Bool {
    InputFilling.allCases.allSatisfy { filling in
      let first = try? fresh(model, options, filling)
      return (0..<8).allSatisfy { _ in (try? fresh(model, options, filling)) == first }
    }
  }

  private func fresh(
    _ model: Model, _ options: Interpreter.Options, _ filling: InputFilling = .stream
  ) throws(ModelError) -> [MutantResult] {
    try MutantCourse(Interpreter(model, options: options).main, filling).results()
  }

  /// What exact kernels make of it, if reference kernels make something else, of usual inputs and of numbers
  /// that arithmetic trips over.
  private func exactDifference(of model: Model) -> String? {
    var (exact, reference) = (options, options)
    (exact.numerics, exact.usesReferenceKernels) = (.exact, false)
    reference.usesReferenceKernels = true
    for filling in InputFilling.allCases {
      guard let results = try? fresh(model, exact, filling),
        let others = try? fresh(model, reference, filling), results != others,
        // Random numbers are no difference.
        let again = try? fresh(model, reference, filling), again == others
      else { continue }
      for (position, (result, other)) in zip(results, others).enumerated() {
        if let problem = result.differenceOfBits(from: other) {
          return "exactly, output \(position) \(filling.text): \(problem)"
        }
      }
    }
    return nil
  }
}
