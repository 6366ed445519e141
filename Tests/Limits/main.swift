// limit-check [--cases N] [--every N] [--first N] [--operators A,B,…]: runs one-operator models of
// the corpus, N of each operator, with inputs as large as memory allows, and checks their budgets:
// planning or a run past its deadline (strict, or lenient like the default) ends soon, a run that
// another thread cancels does too, and resident memory was charged. `--every` executes one of N
// runs. Prints a line for each violation, then the counts; exits with 1 if there was a violation.

import OcellusEngine
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport

let arguments = LimitArguments(CommandLine.arguments.dropFirst())
let corpus = try ConformanceCorpus()
var check = LimitCheck(every: arguments.step, from: arguments.first)
for name in arguments.chosen(from: corpus.names(of: "tflite")) {
  // The corpus contains models that must be rejected; these are not run.
  guard let model = try? Model(bytes: corpus.contents(of: name)) else { continue }
  try check.run(model, named: name)
}
print("\(check.count) runs of \(check.instances) instances, \(check.broken) broken promises")
exit(check.broken == 0 ? 0 : 1)
