import OcellusEngine
import Testing

/// The phases of a transposed convolution, checked against its definition: input i adds to the
/// output `i × stride − padding + tap`.
@Suite struct OutputPhaseTests {
  struct Axis: CustomStringConvertible {
    var axis: WindowAxis
    var description: String {
      "\(axis.inputExtent) outputs, \(axis.tapCount) taps, stride \(axis.stride)"
    }
  }

  static let axes = (1...9).flatMap { extent in
    (1...5).flatMap { taps in
      (1...4).flatMap { stride in
        [PaddingScheme.same, .valid].compactMap {
          WindowAxis($0, input: extent, tapCount: taps, stride: stride)
            .flatMap { $0.outputExtent > 0 ? Axis(axis: $0) : nil }
        }
      }
    }
  }

  /// For every output, the tap that each contributing input meets.
  private func definition(_ axis: WindowAxis) -> [[Int: Int]] {
    var meetings = [[Int: Int]](repeating: [:], count: axis.inputExtent)
    for input in 0..<axis.outputExtent {
      for tap in 0..<axis.tapCount {
        let output = axis.origin(of: input) + tap
        if meetings.indices.contains(output) { meetings[output][input] = tap }
      }
    }
    return meetings
  }

  private func meetings(_ phases: [OutputPhase], _ axis: WindowAxis) -> [[Int: Int]] {
    var meetings = [[Int: Int]](repeating: [:], count: axis.inputExtent)
    for phase in phases {
      for index in 0..<phase.count {
        for (member, taps) in phase.taps.enumerated() {
          let output = phase.first + index * axis.stride + member
          for (distance, tap) in taps.enumerated() {
            let input = phase.origin + index + distance
            guard let tap, (0..<axis.outputExtent).contains(input) else { continue }
            meetings[output][input] = tap
          }
        }
      }
    }
    return meetings
  }

  @Test(arguments: axes)
  func phasesMakeUpTheAxis(axis: Axis) {
    let axis = axis.axis
    let phases = OutputPhase.all(axis)
    #expect(meetings(phases, axis) == definition(axis))
    #expect(!phases.contains { $0.hasGaps })
  }

  @Test(arguments: axes)
  func mergedPhasesMakeUpTheAxis(axis: Axis) {
    let axis = axis.axis
    guard let merged = OutputPhase.merging(axis) else { return }
    #expect(meetings([merged], axis) == definition(axis))
  }
}
