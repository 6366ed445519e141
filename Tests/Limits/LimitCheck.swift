import OcellusEngine
import OcellusPlatform

/// Runs instances with all options and reports violations of their budgets.
struct LimitCheck {
  private(set) var count = 0
  private(set) var instances = 0
  private(set) var broken = 0
  private let step: Int
  private var turn: Int

  /// The memory budget of an instance.
  private static let bytes = 256 << 20
  /// The time after which a run ends, in milliseconds.
  private static let time = 50
  /// The resident memory that may exceed the charged memory: the last large page of a tensor is
  /// resident as a whole.
  private static let slack = 4 << 20
  /// The number of tries, because a busy machine may be late once.
  private static let tries = 3

  /// The event that ends a run.
  private enum End: String, CaseIterable {
    case deadline, cancellation
    /// A lenient deadline like the default budget's, but short enough for a test.
    case unhurriedDeadline

    /// The processor time by which planning or a run may exceed its limit, in milliseconds.
    var grace: Int { self == .unhurriedDeadline ? 300 : 100 }
  }

  private struct Way {
    var name: String
    var options: Interpreter.Options
    var end: End
    var filling: LargeInstance.Filling
  }

  private static let ways: [Way] = [
    ("reference", Interpreter.Options(usesReferenceKernels: true)), ("fast", .init()),
    ("exact", .init(numerics: .exact)),
  ].flatMap { name, options in
    LargeInstance.Filling.allCases.flatMap { filling in
      End.allCases.map { Way(name: name, options: options, end: $0, filling: filling) }
    }
  }

  init(every step: Int, from first: Int) {
    self.step = step
    turn = first
  }

  mutating func run(_ model: Model, named name: String) throws {
    let planned = Interpreter.Options(
      budget: Self.budget(.deadline), usesReferenceKernels: true)
    for instance in try LargeInstance.all(of: model, options: planned) {
      instances += 1
      for way in Self.ways {
        turn += 1
        guard turn % step == 0 else { continue }
        count += 1
        guard let problem = try lastingProblem(model, instance, way) else { continue }
        broken += 1
        print("\(name) \(instance.name) \(way.name) \(way.filling) \(way.end): \(problem)")
      }
    }
  }

  private static func budget(_ end: End) -> RunBudget {
    var budget = RunBudget(
      bytes: bytes, multiplyAdds: .max, time: end == .cancellation ? nil : .milliseconds(time))
    budget.planningTime = .milliseconds(time)
    if end == .unhurriedDeadline { budget.shortestLenientTime = .zero }
    return budget
  }

  /// Returns the violation, if it occurs in every try.
  private func lastingProblem(
    _ model: Model, _ instance: LargeInstance, _ way: Way
  ) throws -> String? {
    var last: String?
    for _ in 0..<Self.tries {
      guard let problem = try problem(model, instance, way) else { return nil }
      last = problem
    }
    return last
  }

  private func problem(
    _ model: Model, _ instance: LargeInstance, _ way: Way
  ) throws -> String? {
    var options = way.options
    options.budget = Self.budget(way.end)
    let interpreter = try Interpreter(model, options: options)
    let before = ProcessUse.resetPeak()
    let planning = milliseconds { try instance.prepare(interpreter) }
    let most = Self.time + way.end.grace
    if planning.taken > most { return "planning took \(planning.taken) ms" }
    guard planning.isDone, try instance.fill(interpreter, way.filling) else { return nil }
    let charged = interpreter.memoryInUse
    let running = milliseconds {
      if way.end == .cancellation { Canceller.cancel(interpreter, after: Self.time) }
      try interpreter.run()
    }
    if running.taken > most { return "running took \(running.taken) ms" }
    return unchargedMemory(of: interpreter, charged: charged, before: before)
  }

  /// Returns a message if more memory became resident than was charged.
  private func unchargedMemory(
    of interpreter: Interpreter, charged: Int, before: Int?
  ) -> String? {
    guard let before, let peak = ProcessUse.peakBytes else { return nil }
    let most = max(interpreter.peakMemoryInUse, charged)
    let resident = peak - before
    guard resident > most + max(most / 20, Self.slack) else { return nil }
    return "\(resident >> 10) KB became resident, \(most >> 10) KB were charged"
  }

  /// Returns the processor time of some work, and whether it completed.
  private func milliseconds(_ body: () throws -> Void) -> (taken: Int, isDone: Bool) {
    let start = ProcessUse.cpuSeconds
    let isDone = (try? body()) != nil
    return (Int((ProcessUse.cpuSeconds - start) * 1000), isDone)
  }
}
