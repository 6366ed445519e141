import OcellusEngine
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// What a profile says, by a clock that goes on by one whenever it is looked at.
@Suite struct StepTimesTests {
  private final class Ticks {
    var count = 0

    func next() -> Int {
      count += 1
      return count
    }
  }

  private func profile(_ interpreter: Interpreter, _ ticks: Ticks = Ticks()) throws -> StepTimes {
    try interpreter.allocate()
    for index in interpreter.inputs.indices { try interpreter.main.fillInput(at: index) }
    try interpreter.run()
    let times = StepTimes(runs: 1, nanoseconds: ticks.next)
    interpreter.observer = times
    try interpreter.run()
    interpreter.observer = nil
    return times
  }

  /// Fused nodes are part of the step that does their work: each node is in one row, with its
  /// multiply-adds, and no row is of a node that does nothing because another one does it.
  @Test(arguments: [
    CommandSamples.detector, CommandSamples.labeler,
    CommandSamples.detector.replacing(".tflite", with: "-float.tflite"),
  ])
  func everyNodeIsInOneRow(model: String) throws {
    let interpreter = try Interpreter(Model(path: model))
    let rows = try profile(interpreter).rows
    let plan = interpreter.plan
    let running = plan.nodes.filter { $0.execution != .folded }
    #expect(rows.flatMap { [$0.node] + $0.fusedNodes }.sorted() == running.map(\.index))
    #expect(rows.reduce(0) { $0 + $1.multiplyAdds } == plan.multiplyAdds)
    for row in rows {
      let node = try #require(plan.nodes.first { $0.index == row.node })
      switch node.execution {
      case .fused, .chained: Issue.record("\(row.node) is done elsewhere")
      default: break
      }
      let nodes = ([row.node] + row.fusedNodes).sorted()
      let names = nodes.compactMap { index in plan.nodes.first { $0.index == index }?.operatorName }
      #expect(row.operatorName == names.joined(separator: " + "))
    }
  }

  /// A loop takes what its body leaves: of watching the body nothing, however often it runs.
  @Test(arguments: ["int32_1_times", "int32_5_times", "float32_nested"])
  func loopsAreNotChargedWithTheirBodies(name: String) throws {
    let folder = try TemporaryDirectory()
    let model = try ConformanceCorpus().unpack("WHILE/\(name).tflite", into: folder)
    let ticks = Ticks()
    let rows = try profile(Interpreter(Model(path: model)), ticks).rows
    #expect(rows.contains { $0.operatorName == "WHILE" })
    #expect(rows.contains { $0.subgraph > 0 })
    // Between its start and its end the clock is looked at once, and once more behind each step inside.
    let runs = Double(ticks.count) / 4
    let total = rows.reduce(0) { $0 + $1.milliseconds } * 1e6
    #expect(total <= 2 * runs)
    #expect(total < Double(ticks.count))
  }
}
