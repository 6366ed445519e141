// tracing-bench ROUNDS MODEL…: measures the cost of tracing on one thread. Prints for each model
// the time of an untraced run, and the additional time of other runs: with digests and with
// statistics of the tensors that the plan keeps in memory (as run), with separately executed nodes
// (apart), and with digests and statistics of all of their tensors. The variants alternate in pairs
// of runs, so each finds its own tensors in the caches. The fastest run counts; the first run,
// which also traces constants, does not.

import OcellusAudit
import OcellusEngine
import OcellusPlatform

/// A variant of running a model, and its fastest time.
final class WatchedRun {
  let interpreter: Interpreter
  private let tracer: Tracer?
  private(set) var fastest = Duration.seconds(3600)

  init(_ model: Model, apart: Bool, level: TraceLevel?) throws {
    interpreter = try Interpreter(model, options: .init(threads: 1, runsNodesSeparately: apart))
    tracer = level.map { Tracer(level: $0) { _ in } }
    interpreter.observer = tracer
    try interpreter.run()
  }

  func run() throws {
    let start = ContinuousClock.now
    try interpreter.run()
    fastest = min(fastest, ContinuousClock.now - start)
    try tracer?.check()
  }
}

/// Returns the fastest run of each variant after some rounds.
func times(_ path: String, rounds: Int) throws -> [Duration] {
  let model = try Model(path: path)
  let ways = try [false, true].flatMap { apart in
    try [TraceLevel?.none, .digest, .stats].map { level in
      try WatchedRun(model, apart: apart, level: level)
    }
  }
  for _ in 0..<rounds {
    for way in ways { for _ in 0..<2 { try way.run() } }
  }
  return ways.map(\.fastest)
}

func padded(_ text: String, to width: Int) -> String {
  String(repeating: " ", count: max(width - text.count, 0)) + text
}

func complain(_ text: String) {
  let line = Array("\(text)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
}

let arguments = CommandLine.arguments.dropFirst()
guard let rounds = arguments.first.flatMap({ Int($0) }), rounds > 0, arguments.count > 1 else {
  complain("usage: tracing-bench ROUNDS MODEL…, with at least one round")
  exit(2)
}
var code: Int32 = 0
print("      ms   as run: digest  stats    apart: alone digest  stats  model")
for path in arguments.dropFirst() {
  do {
    let times = try times(path, rounds: rounds)
    let percents = times.dropFirst().map { time in
      padded("\(Int(((time / times[0] - 1) * 100).rounded())) %", to: 7)
    }
    let microseconds = Int(times[0] / .microseconds(1))
    print(
      padded("\(Double(microseconds) / 1000)", to: 8), padded(percents[0], to: 16), percents[1],
      padded(percents[2], to: 15), percents[3], percents[4], "", path)
  } catch {
    complain("tracing-bench: \(error)")
    code = 1
  }
}
exit(code)
