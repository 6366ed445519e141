import Foundation
import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Valid models access nothing but their own tensors, constants and working memory, and their
/// results do not depend on where these lie.
///
/// Every allocation lies beside guard pages. The tests run in processes of their own, because an
/// overrun kills the process and guard pages apply to all its memory. `OCELLUS_FULL_TESTS=1` draws
/// ten times as many models.
@Suite struct GuardedModelsTests {
  @Test(arguments: DrawnFamily.allCases, MemoryGuard.Placement.allCases)
  func staysInside(family: DrawnFamily, placement: MemoryGuard.Placement) async throws {
    let folder = try TemporaryDirectory()
    let path: String = "\(folder.path)/last"
    let (family, placement): (String, String) = (family.rawValue, placement.rawValue)
    let result = await #expect(processExitsWith: .success) {
      [path = path as String, family = family as String, placement = placement as String] in
      try GuardedModelsTests.run(family, placement, notingIn: path)
    }
    if result == nil {
      let last = (try? String(contentsOfFile: path, encoding: .utf8)) ?? "nothing"
      Issue.record("\(family), \(placement): the last thing it did was \(last)")
    }
  }

  /// The kernels, threads and numerics that a model runs with.
  private struct Way: CustomStringConvertible {
    var table: String
    var threads: Int
    var numerics: Interpreter.Numerics

    var description: String { "\(table), \(threads) threads, \(numerics)" }
  }

  private static func run(_ family: String, _ placement: String, notingIn path: String) throws {
    let family = try #require(DrawnFamily(rawValue: family))
    let placement = try #require(MemoryGuard.Placement(rawValue: placement))
    let isFull = ProcessInfo.processInfo.environment["OCELLUS_FULL_TESTS"] != nil
    let ways = KernelTable.available.flatMap { table in
      [(1, .fast), (2, .fast), (1, .exact), (1, .bfloat16)].map {
        Way(table: table.name, threads: $0, numerics: $1)
      }
    }
    var refusals = 0
    let count = isFull ? 1200 : 120
    for seed in 0..<count {
      var draw = ModelDraw(random: SeededGenerator(seed: UInt64(seed)))
      let model = family.model(&draw)
      // The ways of running take turns; full tests use all of them for every model.
      for way in isFull ? ways : [ways[seed % ways.count]] {
        let label = "\(model.label), seed \(seed), \(way)"
        try Data(label.utf8).write(to: URL(filePath: path))
        do {
          let plain = try results(of: model, way, nil)
          let guarded = try results(of: model, way, placement)
          guard plain == guarded else { fatalError("\(label): other results beside guard pages") }
        } catch {
          refusals += 1
          try Data("to refuse \(label): \(error)".utf8).write(to: URL(filePath: path))
        }
      }
    }
    // Most models must run; only a few types have no kernel.
    guard refusals * 10 <= count * (isFull ? ways.count : 1) else {
      fatalError("\(refusals) of \(count) models were refused")
    }
  }

  private static func results(
    of model: DrawnModel, _ way: Way, _ placement: MemoryGuard.Placement?
  ) throws -> [[UInt8]] {
    MemoryGuard.placement = placement
    defer { MemoryGuard.placement = nil }
    let interpreter = try Interpreter(
      Model(bytes: model.writer.bytes()),
      options: .init(threads: way.threads, numerics: way.numerics, instructionSet: way.table))
    var random = SeededGenerator(seed: 7)
    for (index, input) in interpreter.inputs.enumerated() {
      let count = input.shape.elementCount
      switch input.type {
      case .float32: try interpreter.setInput(at: index, to: random.floats(count))
      case .bool:
        try interpreter.setInput(
          at: index, bytes: random.bytes(count, isSigned: false).map { $0 & 1 })
      default:
        let byteCount = (input.type.byteWidth ?? 1) * count
        try interpreter.setInput(at: index, bytes: random.bytes(byteCount, isSigned: false))
      }
    }
    try interpreter.run()
    return try interpreter.outputs.indices.map { index in
      try interpreter.main.withOutputBytes(at: index) { Array($0) }
    }
  }
}
