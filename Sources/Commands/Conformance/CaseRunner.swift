import OcellusEngine

/// Runs conformance cases on the engine and judges them.
struct CaseRunner {
  let options: Interpreter.Options
  /// Numbers of threads with which the outputs must have the same bits as with `options`.
  var otherThreadCounts: [Int] = []
  /// How often a case is run with each number of threads; always with the same bits.
  var runsPerThreadCount = 1
  /// Whether results of other official kernels are good as well, and errors at a later stage.
  let isTolerant: Bool

  /// What a case came to.
  enum Verdict: Equatable {
    case passed
    case failed(reason: String)
  }

  /// Runs a case from loading its model to comparing its outputs.
  func judge(_ conformanceCase: ConformanceCase) -> Verdict {
    var run = CaseRun(conformanceCase, options: options)
    do {
      let results = try run.results()
      guard conformanceCase.expectation == .success else {
        return .failed(reason: "it runs, expected \(conformanceCase.expectation.rawValue)")
      }
      let verdict = judge(results, of: conformanceCase)
      guard verdict == .passed else { return verdict }
      return try judgeRepetitions(of: conformanceCase, first: results)
    } catch let error as ModelError {
      return judge(error, at: run.stage, of: conformanceCase)
    } catch {
      return .failed(reason: "\(error)")
    }
  }

  /// Whether further runs, also on other numbers of threads, give the bits of the first.
  private func judgeRepetitions(
    of conformanceCase: ConformanceCase, first: [[OutputComparison.Result]]
  ) throws -> Verdict {
    if case .statistical = conformanceCase.tolerance { return .passed }
    guard runsPerThreadCount > 1 || !otherThreadCounts.isEmpty else { return .passed }
    let model = try conformanceCase.files.model(at: conformanceCase.modelPath)
    for threadCount in [options.threads] + otherThreadCounts {
      var options = options
      options.threads = threadCount
      for run in 1...runsPerThreadCount {
        var caseRun = CaseRun(conformanceCase, options: options)
        let results = try caseRun.results(of: model)
        guard haveSameBits(results, first, of: conformanceCase) else {
          return .failed(reason: "run \(run) on \(threadCount) threads gives other bits")
        }
      }
    }
    return .passed
  }

  private func haveSameBits(
    _ a: [[OutputComparison.Result]], _ b: [[OutputComparison.Result]],
    of conformanceCase: ConformanceCase
  ) -> Bool {
    for (step, invocation) in conformanceCase.invocations.enumerated() {
      for (position, output) in invocation.outputs.enumerated() {
        let count = output.definedByteCount
        guard a[step][position].bytes.prefix(count) == b[step][position].bytes.prefix(count) else {
          return false
        }
      }
    }
    return true
  }

  private func judge(
    _ error: ModelError, at stage: ConformanceCase.Expectation, of conformanceCase: ConformanceCase
  ) -> Verdict {
    let expectation = conformanceCase.expectation
    // A model that is not there is nothing that a case could expect.
    if expectation == .success || error.kind == .unreadable {
      return .failed(reason: "\(stage.rawValue): \(error.message)")
    }
    // An engine that looks ahead may refuse earlier than the official runtime, but not later.
    if isTolerant || stage.order <= expectation.order { return .passed }
    return .failed(
      reason: "\(stage.rawValue), expected \(expectation.rawValue): \(error.message)")
  }

  private func judge(
    _ results: [[OutputComparison.Result]], of conformanceCase: ConformanceCase
  ) -> Verdict {
    let official = conformanceCase.invocations.map { $0.outputs.map(\.range.lowerBound) }
    guard let problem = problem(with: results, of: conformanceCase, offsets: official) else {
      return .passed
    }
    let isAlternative = conformanceCase.alternatives.contains { offsets in
      self.problem(with: results, of: conformanceCase, offsets: offsets) == nil
    }
    return isTolerant && isAlternative ? .passed : .failed(reason: problem)
  }

  /// The first difference from the expected values that start at the offsets.
  private func problem(
    with results: [[OutputComparison.Result]], of conformanceCase: ConformanceCase,
    offsets: [[Int]]
  ) -> String? {
    let comparison = OutputComparison(tolerance: conformanceCase.tolerance)
    for (step, invocation) in conformanceCase.invocations.enumerated() {
      for (position, output) in invocation.outputs.enumerated() {
        let start = offsets[step][position]
        let values = conformanceCase.values[start..<start + output.range.count]
        let result = results[step][position]
        if let problem = comparison.problem(with: result, expected: output, values: values) {
          let run = conformanceCase.invocations.count > 1 ? " of run \(step + 1)" : ""
          return "output \(output.index) '\(output.name)'\(run): \(problem)"
        }
      }
    }
    return nil
  }
}

extension ConformanceCase.Expectation {
  /// Later stages of a run have higher numbers.
  fileprivate var order: Int {
    switch self {
    case .loadError: 0
    case .allocateError: 1
    case .invokeError: 2
    case .success: 3
    }
  }
}
