import Foundation
import OcellusEngine
import OcellusProfile
import OcellusTestSupport
import Testing

/// The steps of a profiler whose clock advances by one tick at each reading.
@Suite struct ProfilerTests {
  private final class Ticks {
    var count = 0

    func next() -> Int {
      count += 1
      return count
    }
  }

  private func steps(
    of interpreter: Interpreter, runs: Int = 1, _ ticks: Ticks = Ticks()
  ) throws -> [ProfiledStep] {
    try interpreter.fillInputs()
    try interpreter.run()
    let profiler = Profiler(nanoseconds: ticks.next) { _ in .none }
    for _ in 0..<runs { try profiler.record(interpreter) }
    #expect(interpreter.observer == nil)
    return profiler.steps
  }

  /// Each node is in exactly one step, which has its multiply-adds: a fused node is in the step
  /// that computes it.
  @Test(arguments: ProfiledModels.all)
  func everyNodeIsInOneStep(model: String) throws {
    let interpreter = try Interpreter(Model(path: model))
    let steps = try steps(of: interpreter).filter { $0.subgraph == 0 }
    let plan = interpreter.plan
    let running = plan.nodes.filter { $0.execution != .folded }
    #expect(steps.flatMap { $0.nodes.map(\.index) }.sorted() == running.map(\.index))
    #expect(steps.reduce(0) { $0 + $1.multiplyAdds } == plan.multiplyAdds)
    for step in steps {
      let node = try #require(plan.nodes.first { $0.index == step.node })
      switch node.execution {
      case .fused, .fusedGroup: Issue.record("\(step.node) is done elsewhere")
      default: break
      }
      let names = step.nodes.map(\.operatorName)
      #expect(step.operatorName == names.joined(separator: " + "))
      #expect(step.nodes.map(\.index) == step.nodes.map(\.index).sorted())
      #expect(step.milliseconds.count == 1 && step.callsPerRun == 1)
    }
  }

  /// From the first node to the last every tick belongs to a step: one reading of the clock ends a
  /// step and begins the next.
  @Test(arguments: ProfiledModels.all + ["WHILE/float32_nested.tflite"])
  func noMomentIsNobodys(model: String) throws {
    let folder = try TemporaryDirectory()
    let path =
      model.hasPrefix("WHILE") ? try ConformanceCorpus().unpack(model, into: folder) : model
    let interpreter = try Interpreter(Model(path: path))
    try interpreter.fillInputs()
    let ticks = Ticks()
    let profiler = Profiler(nanoseconds: ticks.next) { _ in .none }
    // In the first run the profiler also registers nodes, which takes ticks outside of steps.
    try profiler.record(interpreter)
    let before = ticks.count
    try profiler.record(interpreter)
    let looks = ticks.count - before
    let steps = profiler.steps
    // Three readings are outside of steps: at the beginning, at the first node and at the end.
    #expect(Int((steps.reduce(0) { $0 + $1.milliseconds[1] } * 1e6).rounded()) == looks - 3)
    let calls = steps.reduce(0) { $0 + $1.callsPerRun }
    #expect(Double(looks) <= 3 + 2 * calls)
  }

  /// A loop's time excludes its body, except the reading at each beginning of the body.
  @Test(arguments: ["int32_1_times", "int32_5_times", "float32_nested"])
  func loopsAreNotChargedWithTheirBodies(name: String) throws {
    let folder = try TemporaryDirectory()
    let model = try ConformanceCorpus().unpack("WHILE/\(name).tflite", into: folder)
    let ticks = Ticks()
    let steps = try steps(of: Interpreter(Model(path: model)), ticks)
    #expect(steps.contains { $0.operatorName == "WHILE" })
    #expect(steps.contains { $0.subgraph > 0 })
    // Every call takes one tick, and an enclosing call one more for each call inside it.
    let calls = steps.reduce(0) { $0 + $1.callsPerRun * Double($1.nodes.count) }
    let total = steps.reduce(0) { $0 + $1.time.median } * 1e6
    #expect(total <= 2 * calls)
    #expect(total < Double(ticks.count))
  }

  /// The nodes of a loop's body count as often as they run.
  @Test func bodiesCountAsOftenAsTheyRun() throws {
    let folder = try TemporaryDirectory()
    let corpus = try ConformanceCorpus()
    let calls = try ["int32_1_times", "int32_5_times"].map { name in
      let model = try corpus.unpack("WHILE/\(name).tflite", into: folder)
      let steps = try steps(of: Interpreter(Model(path: model)), runs: 3)
      return try #require(steps.filter { $0.subgraph > 0 }.map(\.callsPerRun).max())
    }
    #expect(calls[1] > calls[0])
  }

  /// Repeated runs add their times to the same steps.
  @Test func runsAddUp() throws {
    let interpreter = try Interpreter(Model(path: PackageFiles.models[0]))
    let steps = try steps(of: interpreter, runs: 4)
    #expect(steps.allSatisfy { $0.milliseconds.count == 4 && $0.time.count == 4 })
  }

  /// Profiling with work items leaves the output bits unchanged.
  @Test(arguments: [1, 2, 3])
  func watchingChangesNoResult(threads: Int) throws {
    for path in PackageFiles.models {
      let model = try Model(path: path)
      let plain = try Interpreter(model)
      try plain.fillInputs()
      try plain.run()
      let watched = try Interpreter(model, options: .init(threads: threads))
      try watched.fillInputs()
      _ = try Profile(of: watched, options: .init(runs: 2, measuresLimits: false))
      #expect(try plain.outputBytes() == watched.outputBytes())
    }
  }
}
