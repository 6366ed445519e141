import OcellusEngine
import OcellusPlatform
import OcellusTestSupport
import Testing

/// The file in which measured strategies are remembered.
@Suite struct TuningFileTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.path + "/strategies.txt" }

  init() throws { folder = try TemporaryDirectory() }

  private var text: String {
    get throws { String(decoding: try FileSystem.read(path), as: UTF8.self) }
  }

  private func write(_ text: String) throws { try FileSystem.write(Array(text.utf8), to: path) }

  /// Measures a model, with a strategy as the fastest that is not expected to be.
  private func measure(_ chain: DepthwiseChain) throws -> Interpreter {
    let other = try #require(try chain.run(.init()).choices.first?.other)
    return try chain.run(.tuned(by: ScriptedClock(favouring: other), rememberedIn: path))
  }

  private var remembering: Interpreter.Options {
    var options = Interpreter.Options()
    options.tuning = .remembered(in: path)
    return options
  }

  @Test func choicesAreRemembered() throws {
    let chain = DepthwiseChain(windows: [3, 5])
    let measured = try measure(chain)
    let remembered = try chain.run(remembering)
    #expect(remembered.choices == measured.choices)
    #expect(remembered.choices.allSatisfy { $0.basis == .measurement })
    #expect(try remembered.result == measured.result)
    // Nothing is left to measure.
    let clock = ScriptedClock { _, _ in ScriptedClock.usual }
    let before = try text
    _ = try chain.run(.tuned(by: clock, rememberedIn: path))
    #expect(clock.turns.isEmpty)
    #expect(try text == before)
    // Other threads and instruction sets are other questions.
    var options = Interpreter.Options.tuned(by: clock, rememberedIn: path)
    options.threads = 2
    _ = try chain.run(options)
    #expect(!clock.turns.isEmpty)
    #expect(try text.count > before.count)
  }

  @Test func choicesOfOtherModelsAndProcessorsStay() throws {
    _ = try measure(DepthwiseChain())
    let lines = try text.split(separator: "\n").map(String.init)
    let own = try #require(lines.last)
    let question = own.split(separator: "\t").dropFirst().joined(separator: "\t")
    let foreign = "Another processor\t\(question)"
    try write((lines + [foreign]).joined(separator: "\n"))
    _ = try measure(DepthwiseChain(windows: [5]))
    let both = try text.split(separator: "\n").map(String.init)
    #expect(both.count == lines.count + 2)
    #expect(both.contains(own) && both.contains(foreign))
  }

  /// Several threads with models of their own lose none of each other's choices.
  @Test func parallelLoadsShareAFile() async throws {
    let path = path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for width in 10..<18 {
        group.addTask {
          let clock = ScriptedClock { _, _ in ScriptedClock.usual }
          _ = try DepthwiseChain(width: width).run(.tuned(by: clock, rememberedIn: path))
        }
      }
      try await group.waitForAll()
    }
    for width in 10..<18 {
      let remembered = try DepthwiseChain(width: width).run(remembering)
      #expect(remembered.choices.map(\.basis) == [.measurement], "\(width)")
    }
  }

  /// A name that nobody knows, or whose strategy does not accept the node, is ignored.
  @Test(arguments: ["", "walks", "runs-two-rows", "im2col"])
  func unusableNamesAreIgnored(name: String) throws {
    let chain = DepthwiseChain(channels: 64)
    _ = try measure(chain)
    let expected = try chain.run(.init())
    let lines = try text.split(separator: "\n").map { line in
      guard line.contains("\t") else { return String(line) }
      return line.split(separator: "\t").dropLast().joined(separator: "\t") + "\t\(name)"
    }
    try write(lines.joined(separator: "\n") + "\n")
    let remembered = try chain.run(remembering)
    #expect(remembered.choices.map(\.name) == expected.choices.map(\.name))
    #expect(remembered.choices.map(\.basis) == [.prediction])
    // They are measured again.
    let measured = try measure(chain)
    #expect(measured.choices.map(\.basis) == [.measurement])
    #expect(try chain.run(remembering).choices == measured.choices)
  }

  /// Choices of another release are not taken, and disappear.
  @Test func otherReleasesAreMeasuredAgain() throws {
    let chain = DepthwiseChain()
    let measured = try measure(chain)
    let old = try text.split(separator: "\n").dropFirst().joined(separator: "\n")
    try write("Ocellus strategies, release 0.0.9\n\(old)\na line of that release\n")
    #expect(try chain.run(remembering).choices.map(\.basis) == [.prediction])
    #expect(try measure(chain).choices == measured.choices)
    #expect(try text.contains("release \(Release.version)"))
    #expect(try !text.contains("a line of that release"))
  }

  @Test(arguments: [
    ("", "this is not a file of measured strategies"),
    ("a shopping list\n", "this is not a file of measured strategies"),
    ("Ocellus strategies, release \(Release.version)\nmilk\n", "line 2 is damaged"),
    (
      "Ocellus strategies, release \(Release.version)\n# a note\n\na\tb\tmany\td\te\tf\tg\n",
      "line 4 is damaged"
    ),
  ])
  func otherFilesAreErrorsAndStay(contents: String, problem: String) throws {
    try write(contents)
    let clock = ScriptedClock { _, _ in ScriptedClock.usual }
    for options in [remembering, .tuned(by: clock, rememberedIn: path)] {
      let error = #expect(throws: ModelError.self) { try DepthwiseChain().run(options) }
      #expect(error?.kind == .malformed)
      #expect(error?.message.hasPrefix("\(path): \(problem)") == true, "\(error?.message ?? "")")
    }
    #expect(try text == contents)
  }

  /// A file that was cut off somewhere is an error, or what is left of it counts.
  @Test func truncatedFilesAreSafe() throws {
    let chain = DepthwiseChain(windows: [3, 5])
    let expected = try measure(chain).result
    let bytes = try FileSystem.read(path)
    let model = try chain.model()
    for count in stride(from: 0, to: bytes.count, by: 7) {
      try FileSystem.write(Array(bytes[..<count]), to: path)
      do {
        #expect(try chain.run(remembering, of: model).result == expected)
      } catch let error as ModelError {
        #expect(error.kind == .malformed)
      }
    }
  }

  /// Any byte of a file may be wrong.
  @Test func damagedFilesAreSafe() throws {
    let chain = DepthwiseChain()
    let expected = try measure(chain).result
    let bytes = try FileSystem.read(path)
    var random = SeededGenerator(seed: 4)
    for _ in 0..<200 {
      var damaged = bytes
      damaged[Int.random(in: 0..<bytes.count, using: &random)] = .random(
        in: 0...255, using: &random)
      try FileSystem.write(damaged, to: path)
      do {
        #expect(try chain.run(remembering).result == expected)
      } catch let error as ModelError {
        #expect(error.kind == .malformed)
      }
    }
  }

  @Test func hugeFilesAreErrors() throws {
    try FileSystem.write([UInt8](repeating: 0x0A, count: 1 << 24 + 1), to: path)
    let error = #expect(throws: ModelError.self) { try DepthwiseChain().run(remembering) }
    #expect(error?.message.contains("larger than the limit") == true)
  }

  @Test func unusablePathsAreErrors() throws {
    let clock = ScriptedClock { _, _ in ScriptedClock.usual }
    for (path, problem) in [
      (folder.path + "/none.txt", "No such file"), (folder.path, "this is a directory"),
      ("/dev/zero", "this is a device"),
    ] {
      var options = Interpreter.Options()
      options.tuning = .remembered(in: path)
      let error = #expect(throws: ModelError.self) { try DepthwiseChain().run(options) }
      #expect(error?.message.contains("\(path): \(problem)") == true, "\(error?.message ?? "")")
    }
    let interpreter = try Interpreter(
      DepthwiseChain().model(),
      options: .tuned(by: clock, rememberedIn: folder.path + "/no/file.txt"))
    // What was measured is not lost silently, even if no time is left for more.
    for _ in 0..<2 {
      let error = #expect(throws: ModelError.self) { try interpreter.allocate() }
      #expect(error?.message.contains("cannot be remembered") == true)
    }
  }
}
