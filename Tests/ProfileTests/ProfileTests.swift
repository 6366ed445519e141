import Foundation
import OcellusEngine
import OcellusJSON
import OcellusPlatform
import OcellusProfile
import OcellusTestSupport
import Testing

@Suite struct ProfileTests {
  private func profile(
    _ path: String, threads: Int = 1, runs: Int = 5, measuresLimits: Bool = false
  ) throws -> Profile {
    let interpreter = try Interpreter(Model(path: path), options: .init(threads: threads))
    try interpreter.fillInputs()
    return try Profile(
      of: interpreter, options: .init(runs: runs, measuresLimits: measuresLimits))
  }

  /// Steps add up to the run at most: nothing is counted twice.
  ///
  /// How little they miss is a matter of time, which other work on the machine decides.
  @Test(arguments: ProfiledModels.all)
  func stepsAddUpToTheRun(path: String) throws {
    let profile = try profile(path)
    #expect(profile.accountedShare > 0 && profile.accountedShare <= 1)
    #expect(profile.steps.allSatisfy { $0.milliseconds.count == profile.watched.count })
    #expect(profile.bare.count + profile.watched.count == 10 - profile.noise.leftOut)
    let numbers = profile.steps.map { ($0.subgraph, $0.node) }
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func theProgressEnds() throws {
    let interpreter = try Interpreter(Model(path: PackageFiles.models[0]))
    try interpreter.fillInputs()
    var told: [Int] = []
    _ = try Profile(of: interpreter, options: .init(runs: 3, measuresLimits: false)) { done, all in
      told.append(done)
      #expect(all == 3)
    }
    #expect(told == [0, 1, 2])
  }

  // MARK: Threads

  @Test(arguments: [1, 2])
  func spansAreInTheirSteps(threads: Int) throws {
    let timeline = try profile(PackageFiles.models[1], threads: threads).timeline
    let steps = timeline.spans.filter { $0.item == nil }
    #expect(!steps.isEmpty && !timeline.isCutShort)
    #expect(steps.allSatisfy { $0.thread == 0 && $0.start >= 0 && $0.end <= timeline.nanoseconds })
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.end <= $1.start })
    let items = timeline.spans.filter { $0.item != nil }
    // On one processor there are no helper threads; with one thread there are no work items.
    #expect(threads > 1 || items.isEmpty)
    for item in items {
      let step = try #require(steps.first { $0.node == item.node && $0.subgraph == item.subgraph })
      #expect(step.start <= item.start && item.end <= step.end && item.start <= item.end)
      #expect((0..<threads).contains(item.thread))
    }
  }

  @Test func oneThreadIsAlwaysAtWork() throws {
    let steps = try profile(PackageFiles.models[0]).steps
    #expect(steps.compactMap(\.busyShare).allSatisfy { $0 == 1 })
    let shared = try profile(PackageFiles.models[0], threads: 2)
    #expect(shared.steps.compactMap(\.busyShare).allSatisfy { (0...1).contains($0) })
  }

  // MARK: Memory

  /// Tensors that share bytes of the arena at the same node are views of each other.
  @Test func tenantsOfTheArenaDoNotMeet() throws {
    let arena = try profile(PackageFiles.models[0]).arena
    #expect(!arena.isEmpty)
    for (index, one) in arena.enumerated() {
      #expect(one.firstNode <= one.lastNode && one.byteCount > 0)
      for other in arena[(index + 1)...] where one.segment == other.segment {
        let meetInTime = one.firstNode < other.lastNode && other.firstNode < one.lastNode
        let (a, b) = (
          one.offset..<one.offset + one.byteCount, other.offset..<other.offset + other.byteCount
        )
        let isPart = a.contains(b) || b.contains(a)
        #expect(!meetInTime || !a.overlaps(b) || isPart, "\(one.tensor) and \(other.tensor)")
      }
    }
  }

  // MARK: Exports

  /// Model Explorer finds graphs by the names of subgraphs, and nodes by their indices.
  @Test func nodeDataHasEveryStep() throws {
    let model = try Model(path: PackageFiles.models[0])
    let profile = try profile(PackageFiles.models[0])
    let graphs = try #require(
      try JSONParser.parse(Array(profile.nodeData(of: model).text.utf8)).object)
    let name = try #require(graphs.members.first?.name)
    #expect(graphs.members.count == 1 && [model.subgraphNames[0], "main"].contains(name))
    let results = try #require(graphs[name]?.object?["results"]?.object)
    #expect(results.members.map(\.name) == profile.steps.map { "\($0.node)" })
    #expect(
      results.members.map { $0.value.object?["value"]?.number }
        == profile.steps.map { $0.time.median })
    let stops = graphs[name]?.object?["gradient"]?.array?.map { $0.object?["stop"]?.number }
    #expect(stops == [0, 1])
  }

  // MARK: Counters

  /// Every counter that the system supports has values, and a missing one has a reason.
  @Test func countersCountOrSayWhyNot() throws {
    let profile = try profile(PackageFiles.models[0])
    let missing = ProcessorCounter.allCases.count - profile.counters.counted.count
    #expect((profile.counters.reason == nil) == (missing == 0))
    for step in profile.steps {
      #expect(Set(step.counts.keys) == Set(profile.counters.counted))
      #expect(step.counts.values.allSatisfy { $0 >= 0 })
    }
    let shared = try self.profile(PackageFiles.models[0], threads: 2)
    #expect(shared.counters.counted.isEmpty && shared.counters.reason != nil)
  }

  /// The first access to a page counts as exactly one fault.
  @Test func countersSeeWhatTheThreadDoes() throws {
    let faults: PerfEventCounter
    do { faults = try PerfEventCounter(.pageFaults) } catch { return }
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let memory = mmap(nil, 64 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    let base = try #require(memory)
    defer { munmap(base, 64 * page) }
    madvise(base, 64 * page, MADV_NOHUGEPAGE)
    let before = faults.value
    for index in 0..<64 { base.storeBytes(of: 1, toByteOffset: index * page, as: UInt8.self) }
    let seen = faults.value - before
    #expect((64...80).contains(seen))
  }
}

extension Range {
  fileprivate func contains(_ other: Range) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}
