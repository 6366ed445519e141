import Foundation
import OcellusProfile
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// Comparisons of steps on simulated times, for which the true change is known.
@Suite struct StepChangesTests {
  /// Simulates processes: machines vary by 5 %, steps by 1 %, and one step in ten is disturbed.
  private func processes(
    _ count: Int, slowing slowed: Int? = nil, _ random: inout SeededGenerator
  ) -> [[StepName: Double]] {
    (0..<count).map { _ in
      let machine = 1 + Double.random(in: -0.05...0.05, using: &random)
      return Dictionary(
        uniqueKeysWithValues: (0..<40).map { node in
          var time = Double(1 + node % 7) * machine
          time *= 1 + Double.random(in: -0.01...0.01, using: &random)
          if Int.random(in: 0..<10, using: &random) == 0 {
            time *= 1 + Double.random(in: 0...0.1, using: &random)
          }
          if node == slowed { time *= 1.05 }
          return (StepName(subgraph: 0, node: node, operatorName: "CONV_2D"), time)
        })
    }
  }

  @Test func chanceIsRarelyBlamed() {
    var random = SeededGenerator(seed: 1)
    let alarms = (0..<200).count { _ in
      let (old, new) = (processes(8, &random), processes(8, &random))
      let totals = [old, new].map { $0.map { $0.values.reduce(0, +) } }
      return !StepChanges(old: old, new: new).changes.isEmpty
        || SpeedRatio(old: totals[0], new: totals[1]).isCertain
    }
    #expect(alarms <= 10, "\(alarms) of 200")
  }

  @Test func aStepThatIsATwentiethSlowerIsFound() {
    var random = SeededGenerator(seed: 2)
    let found = (0..<100).count { trial in
      let slowed = trial % 40
      let changes = StepChanges(
        old: processes(15, &random), new: processes(15, slowing: slowed, &random)
      ).changes
      return changes.first?.name.node == slowed && (changes.first?.difference ?? 0) > 0
    }
    #expect(found >= 90, "\(found) of 100")
  }

  @Test func stepsOfOneSideOnlyAreNotCompared() {
    let name = StepName(subgraph: 0, node: 0, operatorName: "ADD")
    let other = StepName(subgraph: 0, node: 1, operatorName: "MUL")
    let changes = StepChanges(
      old: [[name: 1, other: 1], [name: 1, other: 2]], new: [[name: 1], [name: 2]])
    #expect(changes.stepCount == 1 && changes.changes.isEmpty)
    #expect(StepChanges(old: [[:]], new: [[:]]).stepCount == 0)
  }

  /// The command reads results of `profile` and names the step that became slower.
  @Test func blameIsPrinted() throws {
    let folder = try TemporaryDirectory()
    func write(_ slow: Double, _ name: String) throws -> String {
      let lines = (0..<8).map { process in
        let step = { (node: Int, ms: Double) in
          #"{"subgraph": 0, "node": \#(node), "operator": "CONV_2D", "ms": \#(ms)}"#
        }
        let times = [1 + Double(process) / 1000, slow + Double(process) / 1000, 3]
        let steps = times.enumerated().map { step($0.offset, $0.element) }.joined(separator: ", ")
        return """
          {"model": "m", "threads": 1, "run_ms": {"median": \(times.reduce(0, +))}, "steps": [\(steps)]}
          """
      }
      let path = "\(folder.path)/\(name)"
      try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: path))
      return path
    }
    let (old, new) = (try write(2, "old"), try write(2.2, "new"))
    let run = ProgramRun("compare", old, new)
    #expect(run.output.contains("1 CONV_2D"), "\(run.output)")
    #expect(run.output.contains(/\+0\.(19|20)/), "\(run.output)")
    #expect(!run.output.contains("0 CONV_2D") && run.output.contains("slower"))
    #expect(ProgramRun("compare", old, old).output.contains("no difference in any of 3 steps"))
  }
}
