import Foundation
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// The number of trials, from the environment.
private let trialCount =
  ProcessInfo.processInfo.environment["OCELLUS_TRIALS"].flatMap { Int($0) } ?? 0

/// The error rates of `bench compare` on this machine, with real models in real processes.
///
/// A quiet machine takes a minute or two for a hundred trials of each kind: `OCELLUS_TRIALS=100
/// swift test -c release --filter ComparisonTrials`.
@Suite(.serialized, .enabled(if: trialCount > 0))
struct ComparisonTrials {
  private static let branches = 8
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Writes a model of parallel convolutions, one of which may have an additional image row: a
  /// twentieth more work.
  private func model(slowing slowed: Int?, _ name: String) throws -> String {
    var tensors: [ModelWriter.Tensor] = []
    var operators: [ModelWriter.Operator] = []
    var (inputs, outputs): ([Int], [Int]) = ([], [])
    for branch in 0..<Self.branches {
      let shape = [1, branch == slowed ? 21 : 20, 20, 16]
      let first = tensors.count
      let weights = [Float](repeating: 0.25, count: 16 * 9 * 16)
      tensors += [
        .init("x\(branch)", .float32, shape),
        .init("w\(branch)", .float32, [16, 3, 3, 16], constant: [UInt8](bytesOf: weights)),
        .init(
          "b\(branch)", .float32, [16],
          constant: [UInt8](bytesOf: [Float](repeating: 0, count: 16))),
        .init("y\(branch)", .float32, shape),
      ]
      operators.append(
        .init(
          OperatorCodeRecord(named: "CONV_2D"), inputs: [first, first + 1, first + 2],
          outputs: [first + 3],
          options: .init(tag: BuiltinOptionsTag.conv2D, [1: .int32(1), 2: .int32(1)])))
      inputs.append(first)
      outputs.append(first + 3)
    }
    let file = ModelWriter(subgraphs: [
      .init(tensors: tensors, inputs: inputs, outputs: outputs, operators: operators)
    ])
    let path = "\(folder.path)/\(name).tflite"
    try FileSystem.write(file.bytes(), to: path)
    return path
  }

  private func compare(_ a: String, _ b: String) throws -> JSONObject {
    let run = try ProgramRun(
      ofProcess: ["bench", "compare", a, b, "--runs", "40", "--json"])
    return try #require(try JSONParser.parse(Array(run.output.utf8)).object, "\(run.errors)")
  }

  private func blamed(_ result: JSONObject) -> [Int] {
    (result["steps"]?.array ?? []).compactMap { $0.object?["node"]?.integer }
  }

  @Test func theSameModelRaisesNoAlarm() throws {
    let (a, b) = (try model(slowing: nil, "a"), try model(slowing: nil, "b"))
    var alarms = 0
    for _ in 0..<trialCount {
      let result = try compare(a, b)
      if result["is_certain"] == true || !blamed(result).isEmpty { alarms += 1 }
    }
    print("\(alarms) false alarms in \(trialCount) trials")
    #expect(alarms * 20 <= trialCount)
  }

  @Test func aTwentiethMoreOfOneStepIsBlamedOnIt() throws {
    let plain = try model(slowing: nil, "plain")
    var found = 0
    for trial in 0..<trialCount {
      let slowed = trial % Self.branches
      let result = try compare(plain, try model(slowing: slowed, "slowed"))
      if blamed(result) == [slowed] { found += 1 }
    }
    print("the right step, and no other, in \(found) of \(trialCount) trials")
    #expect(found * 10 >= 9 * trialCount)
  }
}
