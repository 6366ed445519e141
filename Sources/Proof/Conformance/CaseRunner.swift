package import OcellusEngine

/// Runs conformance cases on the engine and compares their outcomes with the expectations.
package struct CaseRunner {
  package let options: Interpreter.Options
  /// Numbers of threads whose outputs must be bit-identical to those with `options`.
  private let otherThreadCounts: [Int]
  /// The number of runs with each number of threads, which must all give identical bits.
  private let runsPerThreadCount: Int
  /// Whether to resize inputs and back as well, which must not affect later results.
  private let isResizing: Bool
  /// Whether to run cases with an observer as well, which must change no bit.
  private let isTracing: Bool
  /// Whether to accept the results of other official kernels, and errors at a later stage.
  private let isTolerant: Bool

  package init(
    options: Interpreter.Options, otherThreadCounts: [Int], runsPerThreadCount: Int,
    isResizing: Bool, isTracing: Bool, isTolerant: Bool
  ) {
    self.options = options
    self.otherThreadCounts = otherThreadCounts
    self.runsPerThreadCount = runsPerThreadCount
    self.isResizing = isResizing
    self.isTracing = isTracing
    self.isTolerant = isTolerant
  }

  /// Runs a case from loading its model to comparing its outputs.
  package func judge(_ conformanceCase: ConformanceCase) -> CaseVerdict {
    var run = CaseRun(conformanceCase, options: options)
    do {
      let results = try run.results()
      guard conformanceCase.expectation == .success else {
        return .failed("it runs, expected \(conformanceCase.expectation.rawValue)")
      }
      var verdict = judge(results, of: conformanceCase)
      if verdict.problem == nil {
        verdict.problem = try repetitionProblem(of: conformanceCase, first: results)
      }
      if verdict.problem == nil, isResizing {
        verdict.problem = try ResizingSweep(conformanceCase: conformanceCase, options: options)
          .problem()
      }
      if verdict.problem == nil, isTracing {
        verdict.problem = try tracingProblem(of: conformanceCase, first: results)
      }
      return verdict
    } catch let error as ModelError {
      return judge(error, at: run.stage, of: conformanceCase)
    } catch {
      return .failed("\(error)")
    }
  }

  /// Returns a description of the first repeated run whose bits differ from the first run.
  private func repetitionProblem(
    of conformanceCase: ConformanceCase, first: [[OutputComparison.Result]]
  ) throws -> String? {
    guard runsPerThreadCount > 1 || !otherThreadCounts.isEmpty else { return nil }
    let model = try conformanceCase.files.model(at: conformanceCase.modelPath)
    for threadCount in [options.threads] + otherThreadCounts {
      var options = options
      options.threads = threadCount
      for run in 1...runsPerThreadCount {
        var caseRun = CaseRun(conformanceCase, options: options)
        let results = try caseRun.results(of: model)
        guard conformanceCase.digest(of: results) == conformanceCase.digest(of: first) else {
          return "run \(run) on \(threadCount) threads gives other bits"
        }
      }
    }
    return nil
  }

  /// Returns a description of the first traced run whose bits differ from the first run.
  private func tracingProblem(
    of conformanceCase: ConformanceCase, first: [[OutputComparison.Result]]
  ) throws -> String? {
    let expected = conformanceCase.digest(of: first)
    for threadCount in [options.threads] + otherThreadCounts {
      var options = options
      options.threads = threadCount
      let problem = try TracedRuns(conformanceCase: conformanceCase, options: options)
        .problem { conformanceCase.digest(of: $0) == expected }
      if let problem { return problem }
    }
    return nil
  }

  private func judge(
    _ error: ModelError, at stage: ConformanceCase.Expectation, of conformanceCase: ConformanceCase
  ) -> CaseVerdict {
    let expectation = conformanceCase.expectation
    // No case expects that its model file is missing.
    if expectation == .success || error.kind == .unreadable {
      return .failed("\(stage.rawValue): \(error.message)")
    }
    // Nor does a case expect a missing operator unless the official runtime lacks it too.
    if error.kind == .missingOperator, !conformanceCase.expectsMissingOperator {
      return .failed("expected another \(expectation.rawValue): \(error.message)")
    }
    // An engine that plans ahead may refuse earlier than the official runtime, but not later.
    if isTolerant || stage.order <= expectation.order { return .passed }
    return .failed("\(stage.rawValue), expected \(expectation.rawValue): \(error.message)")
  }

  private func judge(
    _ results: [[OutputComparison.Result]], of conformanceCase: ConformanceCase
  ) -> CaseVerdict {
    let official = conformanceCase.invocations.map { $0.outputs.map(\.range.lowerBound) }
    var verdict = judge(results, of: conformanceCase, offsets: official)
    if isTolerant, verdict.problem != nil {
      let isAlternative = conformanceCase.alternatives.contains { offsets in
        judge(results, of: conformanceCase, offsets: offsets).problem == nil
      }
      if isAlternative { verdict.problem = nil }
    }
    verdict.digest = conformanceCase.digest(of: results)
    return verdict
  }

  /// Compares with the expected values that start at the offsets.
  private func judge(
    _ results: [[OutputComparison.Result]], of conformanceCase: ConformanceCase, offsets: [[Int]]
  ) -> CaseVerdict {
    var verdict = CaseVerdict.passed
    for (step, invocation) in conformanceCase.invocations.enumerated() {
      for (position, output) in invocation.outputs.enumerated() {
        let start = offsets[step][position]
        let values = conformanceCase.values[start..<start + output.range.count]
        let comparison = OutputComparison(tolerance: conformanceCase.tolerance(of: output))
        let finding = comparison.finding(
          on: results[step][position], expected: output, values: values)
        verdict.add(finding.usedTolerance, at: position)
        if let problem = finding.problem, verdict.problem == nil {
          let run = conformanceCase.invocations.count > 1 ? " of run \(step + 1)" : ""
          verdict.problem = "output \(output.index) '\(output.name)'\(run): \(problem)"
        }
      }
    }
    return verdict
  }
}

extension CaseVerdict {
  /// Records the share of tolerance that an output used in one run.
  fileprivate mutating func add(_ used: Double?, at position: Int) {
    while usedTolerances.count <= position { usedTolerances.append(nil) }
    if let used { usedTolerances[position] = max(usedTolerances[position] ?? 0, used) }
  }
}

extension ConformanceCase {
  /// Returns a digest of the bits of all results that are not random.
  fileprivate func digest(of results: [[OutputComparison.Result]]) -> UInt64 {
    var digest = ResultDigest()
    for (invocation, results) in zip(invocations, results) {
      for (output, result) in zip(invocation.outputs, results) {
        if case .statistical = tolerance(of: output) { continue }
        digest.add(result.bytes.prefix(output.definedByteCount))
      }
    }
    return digest.value
  }
}

extension ConformanceCase.Expectation {
  /// The order of the stages in a run.
  fileprivate var order: Int {
    switch self {
    case .loadError: 0
    case .allocateError: 1
    case .invokeError: 2
    case .success: 3
    }
  }
}

/// A 64-bit FNV-1a hash.
private struct ResultDigest {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }
}
