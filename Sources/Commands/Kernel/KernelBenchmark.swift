import OcellusAudit
import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusProfile
import OcellusProof

/// The implementations of a node, compared with the reference kernel and timed in rounds.
struct KernelBenchmark {
  /// The outcome of an implementation.
  struct Outcome {
    let implementation: KernelImplementation
    /// The kernel's name in the plan; `nil` if the implementation would run the reference kernel.
    let kernel: String?
    /// The reason why the implementation was not timed.
    let problem: String?
    /// Whether the reason is that its results are wrong.
    let isWrong: Bool
    /// The plan's choice among strategies, if there was one.
    let choice: StrategyChoice?
    /// The candidate that the plan chose.
    var strategy: StrategyChoice.Candidate? {
      choice?.candidates.first { $0.name == choice?.name }
    }
    /// The duration of a run in milliseconds.
    var time: TimeStatistics?
  }

  /// An implementation that is timed, by its position among the outcomes.
  private typealias Runnable = (position: Int, interpreter: Interpreter)

  let node: SingleNode
  let multiplyAdds: Int
  /// The size of the node's operands, weights and results.
  let byteCount: Int
  let threads: Int
  private(set) var outcomes: [Outcome]

  /// The approximate duration of one implementation's runs in a round.
  private static let nanosecondsPerRound = 2_000_000
  /// The number of rounds of each implementation, limited by their total time.
  private static let roundCounts = 3...21
  private static let maximumNanoseconds = 500_000_000

  /// Compares all implementations with the reference kernel and times those that are right.
  init(_ node: SingleNode, _ options: Interpreter.Options) throws {
    self.node = node
    threads = options.threads
    let reference = try node.interpreter(KernelImplementation.reference.options(options))
    try reference.run()
    multiplyAdds = reference.plan.multiplyAdds
    guard reference.plan.nodes.contains(where: { $0.execution != .folded }) else {
      throw SingleNode.Refusal(
        description: "it is computed during planning and takes no time in a run")
    }
    byteCount = (reference.inputs + reference.outputs).reduce(node.constantByteCount) {
      $0 + ($1.type.byteCount(ofElements: $1.shape.elementCount) ?? 0)
    }
    let wanted = try reference.results()
    var runnable: [Runnable] = []
    var kernels: Set<String> = []
    outcomes = []
    for implementation in KernelImplementation.all
    where node.hasFloats || !implementation.isForFloats {
      let (outcome, interpreter) = try Self.judge(
        implementation, node, options, wanted, isFirst: { kernels.insert($0).inserted })
      if let interpreter { runnable.append((outcomes.count, interpreter)) }
      outcomes.append(outcome)
      guard let choice = outcome.choice,
        KernelTable.available.contains(where: { $0.name == implementation.name })
      else { continue }
      for other in KernelImplementation.others(than: choice, on: implementation.name) {
        let (outcome, interpreter) = try Self.judge(
          other, node, options, wanted, isFirst: { kernels.insert($0).inserted })
        if let interpreter { runnable.append((outcomes.count, interpreter)) }
        outcomes.append(outcome)
      }
    }
    try time(runnable)
  }

  /// Times all implementations, and then again, in turns, each choice that seems to lose and the
  /// strategy that seems best: what was a disturbance disappears.
  private mutating func time(_ runnable: [Runnable]) throws {
    var times = try Self.times(of: runnable)
    for (position, times) in times { outcomes[position].time = TimeStatistics(times) }
    for loss in suboptimalChoices(over: 2) {
      let pair = runnable.filter {
        let name = outcomes[$0.position].implementation.name
        return name == loss.chosen.implementation.name || name == loss.best.implementation.name
      }
      for (position, again) in try Self.times(of: pair) {
        times[position, default: []] += again
        outcomes[position].time = times[position].map { TimeStatistics($0) }
      }
    }
  }

  private static func judge(
    _ implementation: KernelImplementation, _ node: SingleNode, _ options: Interpreter.Options,
    _ wanted: [OutputComparison.Result], isFirst: (String) -> Bool
  ) throws -> (Outcome, Interpreter?) {
    var choice: StrategyChoice?
    func outcome(_ kernel: String?, _ problem: String?, isWrong: Bool = false) -> Outcome {
      Outcome(
        implementation: implementation, kernel: kernel, problem: problem, isWrong: isWrong,
        choice: choice)
    }
    let interpreter: Interpreter
    do {
      interpreter = try node.interpreter(implementation.options(options))
      try interpreter.run()
    } catch let error as ModelError {
      return (outcome(nil, error.message), nil)
    }
    let planned = interpreter.plan.nodes.first { $0.execution != .folded }
    let kernel = planned?.execution.kernelName
    choice = planned?.strategy
    let isReference = implementation.name == KernelImplementation.reference.name
    guard let kernel, isReference || kernel != KernelImplementation.reference.name else {
      return (outcome(nil, "has no kernel for it"), nil)
    }
    // Implementations with equal kernels differ only for other nodes.
    let numerics = interpreter.options.numerics
    let way = numerics == .fast ? kernel : "\(kernel), \(numerics)"
    guard isFirst(way) else { return (outcome(kernel, "the same kernel as above"), nil) }
    for (index, (result, right)) in zip(try interpreter.results(), wanted).enumerated() {
      if let difference = Self.difference(result, right) {
        return (outcome(kernel, "result \(index): \(difference)", isWrong: true), nil)
      }
    }
    return (outcome(kernel, nil), interpreter)
  }

  /// Describes a difference that is too large to come from the order of additions.
  static func difference(
    _ result: OutputComparison.Result, _ right: OutputComparison.Result
  ) -> String? {
    let type = ElementType.allCases.first { $0.name == right.type } ?? .float32
    let expected = ConformanceTensor(
      index: 0, name: "", type: right.type, shape: right.shape, range: 0..<right.bytes.count,
      definedByteCount: right.bytes.count)
    return OutputComparison(tolerance: .betweenImplementations(of: type, right.bytes))
      .finding(on: result, expected: expected, values: right.bytes).problem
  }

  /// Times implementations in rounds, so whatever slows the machine for a while slows all of them.
  ///
  /// Some processors run wide vectors slowly until some hundred microseconds after others ran, so
  /// an eighth of the runs of a round come first, untimed.
  private static func times(
    of runnable: [Runnable]
  ) throws -> [Int: [Double]] {
    var batches: [(runs: Int, rounds: Int)] = []
    for (_, interpreter) in runnable {
      let once = max(try interpreter.main.nanoseconds(ofRuns: 1), 1)
      let runs = max(1, nanosecondsPerRound / once)
      let rounds = maximumNanoseconds / (runs * once)
      batches.append((runs, min(max(rounds, roundCounts.lowerBound), roundCounts.upperBound)))
    }
    var times = [[Double]](repeating: [], count: runnable.count)
    for round in 0..<roundCounts.upperBound {
      for (index, (_, interpreter)) in runnable.enumerated() where round < batches[index].rounds {
        let runs = batches[index].runs
        for _ in 0...runs / 8 { try interpreter.run() }
        times[index].append(
          Double(try interpreter.main.nanoseconds(ofRuns: runs)) / Double(runs) / 1e6)
      }
    }
    return Dictionary(uniqueKeysWithValues: zip(runnable.map(\.position), times))
  }
}

extension KernelBenchmark {
  /// A plan's choice that was slower than another strategy of the same instruction set.
  struct SuboptimalChoice {
    let chosen: Outcome
    let best: Outcome
    /// The additional time of the chosen strategy, in percent.
    let percent: Double
  }

  /// Returns the choices that lose more than a percentage, by the fastest rounds.
  func suboptimalChoices(over percent: Double) -> [SuboptimalChoice] {
    outcomes.compactMap { chosen in
      guard chosen.implementation.strategy == nil, let time = chosen.time,
        let best = outcomes.filter({ isOther($0, than: chosen) }).min(by: {
          $0.time?.minimum ?? .infinity < $1.time?.minimum ?? .infinity
        }), let minimum = best.time?.minimum, minimum > 0
      else { return nil }
      let loss = 100 * (time.minimum / minimum - 1)
      return loss > percent ? SuboptimalChoice(chosen: chosen, best: best, percent: loss) : nil
    }
  }

  /// The number of instruction sets for which the plan had a choice.
  var choiceCount: Int {
    outcomes.filter { chosen in
      chosen.implementation.strategy == nil && outcomes.contains { isOther($0, than: chosen) }
    }.count
  }

  private func isOther(_ outcome: Outcome, than chosen: Outcome) -> Bool {
    outcome.implementation.strategy != nil
      && outcome.implementation.name.hasPrefix("\(chosen.implementation.name), ")
  }
}

extension Interpreter {
  /// Returns the outputs for a comparison.
  fileprivate func results() throws -> [OutputComparison.Result] {
    try outputs.enumerated().map { index, output in
      OutputComparison.Result(
        type: output.type.name, shape: output.shape.dimensions,
        bytes: try main.withOutputBytes(at: index) { Array($0) })
    }
  }
}
