// allocation-count THREADS MODEL…: how often a model asks for memory in runs behind its first,
// filling inputs and reading outputs included. One line for each model: the count, and the path.

import OcellusEngine

/// The requests in a few runs, none of them the first.
func requestsWhenRunningAgain(_ path: String, threads: Int) throws -> Int {
  let interpreter = try Interpreter(
    Model(path: path), options: Interpreter.Options(threads: threads))
  let entry = interpreter.main
  let (inputCount, outputCount) = (entry.inputs.count, entry.outputs.count)
  func run() throws {
    for input in 0..<inputCount {
      try entry.withInputBytes(at: input) { bytes in
        // Zeros are valid as indices too.
        _ = bytes.initializeMemory(as: UInt8.self, repeating: 0)
      }
    }
    try entry.run()
    for output in 0..<outputCount { try entry.withOutputBytes(at: output) { _ in } }
  }
  try run()
  let before = CountedMemory.requestCount
  precondition(before > 0, "the linker did not take our functions")
  for _ in 0..<3 { try run() }
  return CountedMemory.requestCount - before
}

guard CommandLine.arguments.count > 2, let threads = Int(CommandLine.arguments[1]) else {
  fatalError("usage: allocation-count THREADS MODEL…")
}
for path in CommandLine.arguments.dropFirst(2) {
  do {
    print(try requestsWhenRunningAgain(path, threads: threads), path)
  } catch {
    print("failed", path, error)
  }
}
