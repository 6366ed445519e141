extension Planner {
  /// Measures the strategies of a segment's steps as far as time is left, and replaces steps by
  /// faster ones.
  func tune(_ draft: SegmentDraft) throws(ModelError) {
    guard let tuner = session.tuner, tuner.isOpen else { return }
    if tuner.nanosecondsLeft > 0 { try measure(draft, for: tuner) }
    try takeMeasuredStrategies(in: draft, tuner.strategies)
    try tuner.remember()
  }

  private func measure(
    _ draft: SegmentDraft, for tuner: StrategyTuner
  ) throws(ModelError) {
    try tuner.strategies.withTurn { () throws(ModelError) in
      let start = tuner.clock.now()
      let allowance = min(tuner.nanosecondsLeft, Int.max - start)
      // The time is the program's gift, and not part of what it lets planning take.
      session.control.postponeDeadline(by: allowance)
      defer {
        let spent = tuner.clock.now() - start
        tuner.spend(spent)
        session.control.postponeDeadline(by: min(spent, allowance) - allowance)
      }
      for open in openChoices(of: draft) {
        let timeLeft = start + allowance - tuner.clock.now()
        guard timeLeft > 0 else { break }
        // A step that is expected to take all of it is not even tried.
        guard open.choice.chosen?.nanoseconds ?? 0 < Double(timeLeft) else { continue }
        if let name = try fastestStrategy(for: open, in: draft, until: start + allowance) {
          tuner.record(name, for: open.question)
        }
      }
    }
  }

  /// A choice that was made by expected times, and the first step that it concerns.
  private struct OpenChoice {
    var question: StrategyQuestion
    var choice: StrategyChoice
    var position: Int
    /// The expected time of all steps that it concerns.
    var nanoseconds: Double
  }

  /// Returns the choices between several strategies, those that concern the most time first.
  private func openChoices(of draft: SegmentDraft) -> [OpenChoice] {
    var open: [OpenChoice] = []
    var known: [StrategyQuestion: Int] = [:]
    for position in draft.steps.indices {
      guard let choice = draft.steps[position].step?.strategy, choice.basis == .prediction,
        let question = choice.question, choice.accepting.count > 1,
        !hasAnswer(question, choice)
      else { continue }
      let nanoseconds = choice.chosen?.nanoseconds ?? 0
      if let index = known[question] {
        open[index].nanoseconds += nanoseconds
      } else {
        known[question] = open.count
        open.append(
          OpenChoice(
            question: question, choice: choice, position: position, nanoseconds: nanoseconds))
      }
    }
    return open.sorted { ($1.nanoseconds, $0.position) < ($0.nanoseconds, $1.position) }
  }

  /// Returns whether a question is answered with a strategy that accepts the node.
  ///
  /// Another interpreter may have measured since the node was planned. A file may name whatever it
  /// wants.
  private func hasAnswer(_ question: StrategyQuestion, _ choice: StrategyChoice) -> Bool {
    session.tuner?.strategies[question].map(choice.accepting.contains) ?? false
  }

  /// Returns the fastest strategy for a choice; `nil` if time or memory are too short to tell.
  private func fastestStrategy(
    for open: OpenChoice, in draft: SegmentDraft, until deadline: Int
  ) throws(ModelError) -> String? {
    guard let tuner = session.tuner else { return nil }
    let node = draft.steps[open.position].node
    do throws(ModelError) {
      let packed = PackedWeights(weightByteCount: 0)
      let stepMemory = try StepMemory(packed: packed, account: session.account)
      let names = [open.choice.name] + open.choice.accepting.filter { $0 != open.choice.name }
      var steps: [Step] = []
      for name in names {
        let strategies = tuner.strategies.answering(open.question, with: name)
        guard
          let step = try step(
            at: open.position, of: draft, choosingFrom: strategies, stepMemory),
          step.strategy?.name == name
        else { return nil }
        steps.append(step)
      }
      packed.packAll()
      let operands = try TrialOperands(
        of: node, memory, scratchByteCount: steps.map(\.scratchByteCount).max() ?? 0,
        session.workers)
      guard steps.allSatisfy({ $0.accepts?(operands.context) ?? true }) else { return nil }
      let race = StrategyRace(
        clock: tuner.clock, deadline: deadline,
        check: { () throws(ModelError) in try session.control.look() },
        coolCaches: operands.coolCaches)
      return try withExtendedLifetime(operands) { () throws(ModelError) in
        try race.winner(
          of: zip(names, steps).map { name, step in
            StrategyRace.Entrant(name: name) { step.body(operands.context) }
          })
      }
    } catch  where error.kind == .overBudget {
      // The plan itself may still fit.
      return nil
    }
  }

  /// Replaces the steps whose strategy is not the measured one.
  private func takeMeasuredStrategies(
    in draft: SegmentDraft, _ strategies: TunedStrategies
  ) throws(ModelError) {
    var replacesSteps = false
    for position in draft.steps.indices {
      guard let choice = draft.steps[position].step?.strategy, choice.basis == .prediction,
        let name = choice.question.flatMap({ strategies[$0] }), choice.accepting.contains(name)
      else { continue }
      if name == choice.name {
        draft.steps[position].step?.strategy?.basis = .measurement
      } else if let step = try step(
        at: position, of: draft, choosingFrom: strategies, session.stepMemory)
      {
        draft.steps[position].step = step
        replacesSteps = true
      }
    }
    if replacesSteps { session.model.packedWeights.forgetReplaced() }
  }

  /// Returns the step of a planned node with the strategies that were measured; `nil` if it would
  /// fuse another operand.
  private func step(
    at position: Int, of draft: SegmentDraft, choosingFrom strategies: TunedStrategies,
    _ stepMemory: StepMemory
  ) throws(ModelError) -> Step? {
    guard let kernels = session.kernels else { return nil }
    let planned = draft.steps[position]
    let node = subgraph.nodes[planned.node.spec.index]
    let context = planContext(
      for: node, KernelSet(kernels.table, forced: kernels.forced, tuned: strategies), stepMemory,
      in: self.draft(of: draft, before: position))
    let step = try node.operation.plan(context)
    try stepMemory.check()
    return step?.fusedOperand == planned.step?.fusedOperand ? step : nil
  }
}
