// limit-check [--cases N] [--every N] [--first N] [--operators A,B,…]: runs one-operator models of the corpus, N of each
// operator, with inputs as large as memory admits, and holds the engine to what budgets promise: planning or a run whose time
// is over, be it one that somebody waits for or a guard like the default, and a run that another thread cancels, end soon;
// and what becomes resident was charged. `--every` takes a part of all ways to run them. Prints a line for each broken
// promise, then the counts; exits with 1 if there was one.

import OcellusEngine
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport

let arguments = LimitArguments(CommandLine.arguments.dropFirst())
let corpus = try ConformanceCorpus()
var check = LimitCheck(every: arguments.step, from: arguments.first)
for name in arguments.chosen(from: corpus.names(of: "tflite")) {
  // What the corpus wants refused is nothing to run.
  guard let model = try? Model(bytes: corpus.contents(of: name)) else { continue }
  try check.run(model, named: name)
}
print("\(check.count) runs of \(check.instances) instances, \(check.broken) broken promises")
exit(check.broken == 0 ? 0 : 1)
