import OcellusAudit
import OcellusEngine

/// Whether looking at tensors changes results: a case is run at every level of traces, as its plan runs and
/// with nodes kept apart, and must give the bits that it gives unwatched.
struct TracedRuns {
  let conformanceCase: ConformanceCase
  let options: Interpreter.Options

  /// The first way to look that changed a bit, or `nil`; `isUnchanged` knows the bits of a run that nobody
  /// watched.
  func problem(
    _ isUnchanged: ([[OutputComparison.Result]]) -> Bool
  ) throws -> String? {
    let model = try conformanceCase.files.model(at: conformanceCase.modelPath)
    for keepsNodesApart in [false, true] {
      var options = options
      options.keepsNodesApart = keepsNodesApart
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
        let way = "traced at level \(level.rawValue), \(keepsNodesApart ? "nodes apart" : "as run")"
        guard isUnchanged(results) else {
          return "\(way), on \(options.threads) threads: other bits"
        }
        guard nodeCount > 0 || model.nodeCount == 0 else { return "\(way): no node was seen" }
      }
    }
    return nil
  }
}
