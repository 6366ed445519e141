import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import Synchronization
import Testing

/// With `Options.tuning`, plans take the strategies that are the fastest by the clock.
@Suite struct TuningTests {
  @Test(arguments: KernelTable.available.map(\.name), [false, true])
  func theFastestIsTaken(instructionSet: String, isQuantized: Bool) throws {
    let chain = DepthwiseChain(isQuantized: isQuantized)
    var options = Interpreter.Options(instructionSet: instructionSet)
    let expected = try chain.run(options)
    let choice = try #require(expected.choices.first)
    #expect(choice.basis == .prediction)
    for candidate in choice.candidates where candidate.refusal == nil {
      let clock = ScriptedClock(favouring: candidate.name)
      options.tuning = .measured(within: .seconds(100))
      options.tuningClock = clock.clock
      let tuned = try chain.run(options)
      let taken = try #require(tuned.choices.first)
      let isOnly = choice.candidates.filter { $0.refusal == nil }.count == 1
      #expect(taken.name == candidate.name)
      #expect(taken.basis == (isOnly ? .prediction : .measurement))
      #expect(tuned.plan.nodes[0].execution.description.hasSuffix(candidate.name))
      #expect(try tuned.result == expected.result, "\(candidate.name)")
    }
  }

  /// What the replaced step had packed is not kept.
  @Test func weightsArePackedForTheTakenStrategyOnly() throws {
    let chain = DepthwiseChain(windows: [3, 5], channels: 64, isQuantized: true)
    let other = try #require(try chain.run(.init()).choices.first?.other)
    let tuned = try chain.run(.tuned(by: ScriptedClock(favouring: other)))
    var options = Interpreter.Options()
    options.strategies = [try #require(tuned.choices.first).family: other]
    let forced = try chain.run(options)
    #expect(tuned.choices.map(\.name) == forced.choices.map(\.name))
    #expect(tuned.plan.packedByteCount == forced.plan.packedByteCount)
    #expect(tuned.memoryInUse == forced.memoryInUse)
  }

  /// A gain of 2 % may be noise; so may a larger one in half of the rounds.
  @Test func smallGainsChangeNothing() throws {
    let chain = DepthwiseChain()
    let choice = try #require(try chain.run(.init()).choices.first)
    let other = try #require(choice.other)
    let clocks = [
      ScriptedClock(favouring: other, share: 0.98),
      ScriptedClock { strategy, earlier in
        let isQuick =
          strategy == other && earlier.count(where: { $0 == other }).isMultiple(of: 2)
        return isQuick ? ScriptedClock.usual * 3 / 4 : ScriptedClock.usual
      },
    ]
    for clock in clocks {
      let tuned = try #require(try chain.run(.tuned(by: clock)).choices.first)
      #expect(tuned.name == choice.name && tuned.basis == .measurement)
      #expect(clock.turns.contains(other))
    }
  }

  /// Whatever slows the machine for some turns slows all strategies.
  @Test func aSlowMachineChangesNothing() throws {
    let chain = DepthwiseChain()
    let other = try #require(try chain.run(.init()).choices.first?.other)
    let clock = ScriptedClock { strategy, earlier in
      let time = strategy == other ? ScriptedClock.usual / 2 : ScriptedClock.usual
      return earlier.count > 13 ? 10 * time : time
    }
    #expect(try chain.run(.tuned(by: clock)).choices.first?.name == other)
  }

  /// The node with the larger windows takes longest, and is measured first.
  @Test func timeIsSpentOnTheSlowestNodesFirst() throws {
    let chain = DepthwiseChain(windows: [3, 5, 3])
    let expected = try chain.run(.init()).choices
    let other = try #require(expected[1].other)
    let whole = ScriptedClock(favouring: other)
    let all = try chain.run(.tuned(by: whole))
    #expect(all.choices.allSatisfy { $0.basis == .measurement })
    // The time for a node is that of its candidates' turns: so much is enough for one of two.
    let half = whole.now * 3 / 4
    let clock = ScriptedClock(favouring: other)
    let tuned = try chain.run(.tuned(by: clock, within: .nanoseconds(half)))
    let bases = tuned.choices.map(\.basis)
    #expect(bases[0] == bases[2])
    #expect(Set(bases) == [.measurement, .prediction])
    #expect(clock.now <= half + ScriptedClock.usual)
    #expect(try tuned.result == chain.run(.init()).result)
  }

  @Test(arguments: [-1, 0, 1, 3_000_000])
  func noTimeMeansNoMeasurement(nanoseconds: Int) throws {
    let clock = ScriptedClock { _, _ in ScriptedClock.usual }
    let tuned = try DepthwiseChain(windows: [3, 5]).run(
      .tuned(by: clock, within: .nanoseconds(nanoseconds)))
    #expect(tuned.choices.allSatisfy { $0.basis == .prediction })
    #expect(clock.now <= max(nanoseconds, 0) + ScriptedClock.usual)
  }

  /// Equal nodes are measured once, also by further interpreters of the model.
  @Test func equalNodesAreMeasuredOnce() throws {
    let chain = DepthwiseChain(windows: [3, 3, 3])
    let model = try chain.model()
    let other = try #require(try chain.run(.init()).choices.first?.other)
    let alone = ScriptedClock(favouring: other)
    _ = try DepthwiseChain(windows: [3]).run(.tuned(by: alone))
    let clock = ScriptedClock(favouring: other)
    let tuned = try chain.run(.tuned(by: clock), of: model)
    #expect(tuned.choices.map(\.name) == [other, other, other])
    #expect(clock.turns.count == alone.turns.count)
    let second = try chain.run(.tuned(by: clock), of: model)
    #expect(second.choices == tuned.choices)
    #expect(clock.turns.count == alone.turns.count)
    // Interpreters without tuning do not take what others measure.
    #expect(try chain.run(.init(), of: model).choices.allSatisfy { $0.basis == .prediction })
  }

  /// Other shapes are other problems, for which the rest of the time is left.
  @Test func resizedNodesAreMeasuredToo() throws {
    let clock = ScriptedClock { _, _ in ScriptedClock.usual }
    let tuned = try DepthwiseChain().run(.tuned(by: clock))
    let count = clock.turns.count
    try tuned.resizeInput(at: 0, to: Shape([1, 20, 22, 24]))
    try tuned.run()
    #expect(tuned.choices.map(\.basis) == [.measurement])
    #expect(clock.turns.count > count)
    let spent = clock.now
    let brief = ScriptedClock { _, _ in ScriptedClock.usual }
    let second = try DepthwiseChain().run(.tuned(by: brief, within: .nanoseconds(spent * 5 / 8)))
    #expect(second.choices.map(\.basis) == [.measurement])
    try second.resizeInput(at: 0, to: Shape([1, 20, 22, 24]))
    try second.run()
    #expect(second.choices.map(\.basis) == [.prediction])
  }

  @Test func requestedStrategiesAreNotMeasured() throws {
    let chain = DepthwiseChain()
    let choice = try #require(try chain.run(.init()).choices.first)
    let clock = ScriptedClock { _, _ in ScriptedClock.usual }
    var options = Interpreter.Options.tuned(by: clock)
    options.strategies = [choice.family: choice.name]
    #expect(try chain.run(options).choices.map(\.basis) == [.request])
    options.usesReferenceKernels = true
    #expect(try chain.run(options).choices.isEmpty)
    #expect(clock.turns.isEmpty)
  }

  @Test func cancellationStopsMeasuring() throws {
    let cancellation = Mutex<Cancellation?>(nil)
    let clock = ScriptedClock { _, earlier in
      if earlier.count == 5 { cancellation.withLock { $0?.cancel() } }
      return ScriptedClock.usual
    }
    let interpreter = try Interpreter(DepthwiseChain().model(), options: .tuned(by: clock))
    cancellation.withLock { $0 = interpreter.cancellation }
    let error = #expect(throws: ModelError.self) { try interpreter.allocate() }
    #expect(error?.kind == .cancelled)
    #expect(clock.turns.count == 6)
    interpreter.cancellation.resume()
    try interpreter.allocate()
    #expect(interpreter.choices.map(\.basis) == [.measurement])
  }

  /// The time for measuring is not part of that for planning.
  @Test func planningMayTakeLongerByTheTimeForMeasuring() throws {
    let clock = ScriptedClock { _, _ in
      // By the clock of the test, measuring takes longer, so that a busy machine does not matter.
      usleep(500)
      return 10 * ScriptedClock.usual
    }
    var options = Interpreter.Options.tuned(by: clock)
    options.budget.planningTime = .milliseconds(5)
    let interpreter = try Interpreter(DepthwiseChain().model(), options: options)
    try interpreter.allocate()
    #expect(interpreter.choices.map(\.basis) == [.measurement])
  }

  /// Where the plan leaves no memory for measuring, it is made without.
  @Test func littleMemoryMeansNoMeasurement() throws {
    let chain = DepthwiseChain(channels: 640)
    let model = try chain.model()
    let expected = try chain.run(.init(), of: model)
    let clock = ScriptedClock { _, _ in ScriptedClock.usual }
    var options = Interpreter.Options.tuned(by: clock)
    options.budget.bytes = expected.memoryInUse - model.file.bytes.buffer.count + (1 << 16)
    let tuned = try chain.run(options, of: try chain.model())
    #expect(clock.turns.isEmpty)
    #expect(tuned.choices.map(\.basis) == [.prediction])
    #expect(tuned.choices.map(\.name) == expected.choices.map(\.name))
    #expect(try tuned.result == expected.result)
  }

  /// By the clock of the system, whatever it chooses.
  @Test(arguments: [1, 2], [false, true])
  func realMeasurementsKeepTheBits(threads: Int, isQuantized: Bool) throws {
    let chain = DepthwiseChain(windows: [3, 5, 3], isQuantized: isQuantized)
    var options = Interpreter.Options(threads: threads)
    let expected = try chain.run(options).result
    options.tuning = .measured(within: .seconds(1))
    #expect(try chain.run(options).result == expected)
  }
}
