import OcellusEngine
import OcellusProof

/// Loads, plans and runs a mutant under a budget, several times and with other shapes.
///
/// A call that does not return is a bug of the engine, and so are results that depend on the
/// kernels.
struct MutantTrial {
  /// The stage that a mutant reaches.
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

  /// The maximum number of signatures to run.
  private static let signatureLimit = 4

  let options: Interpreter.Options
  /// The directory of external constants that the model may refer to; `nil` to forbid them.
  var externalBufferFolder: String?
  /// Whether to compare exact kernels with reference kernels bit by bit.
  var comparesExactly = false

  /// Returns the stage that the mutant reaches and the error that stops it.
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
      let course = MutantRuns(interpreter.main)
      let first = try course.results()
      for key in model.signatureKeys.prefix(Self.signatureLimit) {
        _ = try MutantRuns(interpreter.signature(key)).results()
      }
      // Resizing and repeated runs must end in an error or be harmless.
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

  /// Describes the difference between tuned and reference kernels, if there is one.
  private func difference(from results: [MutantResult], of model: Model) -> String? {
    var others = options
    others.usesReferenceKernels.toggle()
    guard let other = try? fresh(model, others), let again = try? fresh(model, others) else {
      return nil
    }
    // Results that vary from run to run are random numbers.
    guard other == again else { return nil }
    for (position, (result, other)) in zip(results, other).enumerated() {
      if let problem = result.difference(from: other) { return "output \(position): \(problem)" }
    }
    return nil
  }

  /// Returns whether results are equal in every run; two random results may be equal by chance.
  private func isRepeatable(_ model: Model) -> Bool {
    InputFilling.allCases.allSatisfy { filling in
      let first = try? fresh(model, options, filling)
      return (0..<8).allSatisfy { _ in (try? fresh(model, options, filling)) == first }
    }
  }

  private func fresh(
    _ model: Model, _ options: Interpreter.Options, _ filling: InputFilling = .stream
  ) throws(ModelError) -> [MutantResult] {
    try MutantRuns(Interpreter(model, options: options).main, filling).results()
  }

  /// Describes the difference between exact and reference kernels, if there is one.
  ///
  /// Inputs are the usual ones and numbers that are likely to expose errors.
  private func exactDifference(of model: Model) -> String? {
    var (exact, reference) = (options, options)
    (exact.numerics, exact.usesReferenceKernels) = (.exact, false)
    reference.usesReferenceKernels = true
    for filling in InputFilling.allCases {
      guard let results = try? fresh(model, exact, filling),
        let others = try? fresh(model, reference, filling), results != others,
        // Results that vary from run to run are random numbers.
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
