import OcellusAudit
import OcellusEngine

/// Checks that observing tensors does not change results.
///
/// A case is traced at every level, as planned and with nodes run separately, and must give the
/// bits of an unobserved run.
struct TracedRuns {
  let conformanceCase: ConformanceCase
  let options: Interpreter.Options

  /// Returns a description of the first traced run that changed a bit, or `nil`.
  ///
  /// `isUnchanged` compares with the bits of an unobserved run.
  func problem(
    _ isUnchanged: ([[OutputComparison.Result]]) -> Bool
  ) throws -> String? {
    let model = try conformanceCase.files.model(at: conformanceCase.modelPath)
    for runsNodesSeparately in [false, true] {
      var options = options
      options.runsNodesSeparately = runsNodesSeparately
      for level in TraceLevel.allCases {
        let interpreter = try Interpreter(model, options: options)
        var nodeCount = 0
        let tracer = Tracer(level: level, keep: { _, _, _, bytes in "\(bytes.count)" }) { event in
          if case .node = event { nodeCount += 1 }
        }
        interpreter.observer = tracer
        var run = CaseRun(conformanceCase, options: options)
        let results = try run.results(of: interpreter)
        try tracer.check()
        let way =
          "traced at level \(level.rawValue), \(runsNodesSeparately ? "nodes apart" : "as run")"
        guard isUnchanged(results) else {
          return "\(way), on \(options.threads) threads: other bits"
        }
        guard nodeCount > 0 || model.nodeCount == 0 else { return "\(way): no node was seen" }
      }
    }
    return nil
  }
}
