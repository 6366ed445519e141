// allocation-count THREADS MODEL…: counts allocations in runs after a model's first, including
// filling the inputs and reading the outputs. Prints a line with the count and the path of each
// model, and below it the nodes that allocated.

import OcellusEngine

/// A model that is run repeatedly.
struct RepeatedModel {
  private static let runCount = 3

  private let interpreter: Interpreter
  private let entry: EntryPoint
  /// The numbers of inputs and outputs, because reading the lists would allocate in every run.
  private let inputCount: Int
  private let outputCount: Int

  init(_ path: String, threads: Int) throws {
    interpreter = try Interpreter(
      Model(path: path), options: Interpreter.Options(threads: threads))
    entry = interpreter.main
    (inputCount, outputCount) = (entry.inputs.count, entry.outputs.count)
    try run()
  }

  private func run() throws {
    for input in 0..<inputCount {
      try entry.withInputBytes(at: input) { bytes in
        // Zeros are valid indices, too.
        _ = bytes.initializeMemory(as: UInt8.self, repeating: 0)
      }
    }
    try entry.run()
    for output in 0..<outputCount { try entry.withOutputBytes(at: output) { _ in } }
  }

  /// Returns the number of allocations in a few runs after the first.
  func requests() throws -> Int {
    let before = CountedMemory.requestCount
    precondition(before > 0, "the linker did not take our functions")
    for _ in 0..<Self.runCount { try run() }
    return CountedMemory.requestCount - before
  }

  /// Returns the number of allocations by each node.
  func requestsByNode() throws -> [(node: String, count: Int)] {
    let watcher = RequestWatcher()
    interpreter.observer = watcher
    defer { interpreter.observer = nil }
    for _ in 0..<Self.runCount { try run() }
    return watcher.counts.sorted { $0.value > $1.value }.map { ($0.key, $0.value) }
  }
}

/// Counts the allocations of each node, without those of nodes inside it and of the watcher itself.
private final class RequestWatcher: RunObserver {
  private var open: [(start: Int, inner: Int)] = []
  private(set) var counts: [String: Int] = [:]

  func willRun(_ node: ObservedNode) {
    open.reserveCapacity(open.count + 1)
    open.append((CountedMemory.requestCount, 0))
  }

  func didRun(_ node: ObservedNode) {
    let end = CountedMemory.requestCount
    guard let frame = open.popLast() else { return }
    let own = end - frame.start - frame.inner
    if own > 0 {
      counts["\(node.subgraph):\(node.index) \(node.operatorName)", default: 0] += own
    }
    if !open.isEmpty { open[open.count - 1].inner += CountedMemory.requestCount - frame.start }
  }
}

guard CommandLine.arguments.count > 2, let threads = Int(CommandLine.arguments[1]) else {
  fatalError("usage: allocation-count THREADS MODEL…")
}
for path in CommandLine.arguments.dropFirst(2) {
  do {
    let model = try RepeatedModel(path, threads: threads)
    let count = try model.requests()
    print(count, path)
    if count == 0 { continue }
    for (node, count) in try model.requestsByNode() { print("  \(count) \(node)") }
  } catch {
    print("failed", path, error)
  }
}
