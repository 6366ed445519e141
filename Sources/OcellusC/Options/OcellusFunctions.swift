// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusAudit
import OcellusEngine
import OcellusHandles
import OcellusJSON
import OcellusModelFile
import OcellusPlatform

// Ocellus…: functions that the official interface lacks.

@c @implementation public func OcellusInterpreterOptionsSetExact(
  _ options: OpaquePointer?, _ isExact: Bool
) { RunOptions.at(options)?.values.engine.numerics = isExact ? .exact : .fast }

@c @implementation public func OcellusInterpreterOptionsSetNumerics(
  _ options: OpaquePointer?, _ name: UnsafePointer<CChar>?
) -> TfLiteStatus {
  guard let options = RunOptions.at(options), let name = name.map({ String(cString: $0) }),
    let numerics = Interpreter.Numerics.named.first(where: { $0.word == name })
  else { return kTfLiteError }
  options.values.engine.numerics = numerics.value
  return kTfLiteOk
}

@c @implementation public func OcellusInterpreterOptionsSetTuning(
  _ options: OpaquePointer?, _ seconds: Double, _ file: UnsafePointer<CChar>?
) -> TfLiteStatus {
  guard let options = RunOptions.at(options), seconds >= 0 else { return kTfLiteError }
  let path = file.map { String(fileName: $0) }
  options.values.engine.tuning =
    if seconds > 0 {
      .measured(within: .seconds(min(seconds, longestTime)), rememberedIn: path)
    } else if let path {
      .remembered(in: path)
    } else {
      .off
    }
  return kTfLiteOk
}

/// A limit in seconds of about a century, which `Duration` can hold.
private let longestTime = 3e9

@c @implementation public func OcellusInterpreterOptionsSetKeepsTensors(
  _ options: OpaquePointer?, _ keeps: Bool
) {
  RunOptions.at(options)?.values.engine.runsNodesSeparately = keeps
  RunOptions.at(options)?.values.engine.keepsIntermediateResults = keeps
}

@c @implementation public func OcellusInterpreterOptionsSetBudget(
  _ options: OpaquePointer?, _ budget: UnsafePointer<OcellusBudget>?
) {
  guard let options = RunOptions.at(options), let wanted = budget?.pointee else { return }
  var budget = RunBudget()
  if wanted.bytes > 0 { budget.bytes = Int(clamping: wanted.bytes) }
  if wanted.multiply_adds > 0 { budget.multiplyAdds = Int(clamping: wanted.multiply_adds) }
  if wanted.seconds == .infinity {
    budget.time = nil
  } else if wanted.seconds > 0 {
    budget.time = .seconds(min(wanted.seconds, longestTime))
  }
  options.values.engine.budget = budget
}

@c @implementation public func OcellusInterpreterGetInstructionSet(
  _ interpreter: OpaquePointer?
) -> UnsafePointer<CChar>? { InterpreterObject.at(interpreter)?.instructionSet?.pointers[0] }

@c @implementation public func OcellusInterpreterProfile(
  _ interpreter: OpaquePointer?, _ runs: Int32
) -> UnsafeMutablePointer<CChar>? {
  guard let object = InterpreterObject.at(interpreter), let engine = object.interpreter,
    (1...10_000).contains(runs), let profile = object.main?.profile(engine, runs: Int(runs))
  else { return nil }
  return strdup(profile)
}

/// Returns what `look` finds out about a run on the current inputs.
private func inspection(
  of interpreter: OpaquePointer?, for purpose: String, _ look: (Interpreter) throws -> JSONValue
) -> UnsafeMutablePointer<CChar>? {
  guard let object = InterpreterObject.at(interpreter), let engine = object.interpreter,
    let text = object.main?.inspect(engine, for: purpose, look)
  else { return nil }
  return strdup(text)
}

@c @implementation public func OcellusInterpreterAudit(
  _ interpreter: OpaquePointer?
) -> UnsafeMutablePointer<CChar>? {
  inspection(of: interpreter, for: "Audit") { try AuditReport(of: $0, named: "model").json() }
}

@c @implementation public func OcellusInterpreterReceipt(
  _ interpreter: OpaquePointer?
) -> UnsafeMutablePointer<CChar>? {
  inspection(of: interpreter, for: "Receipt") { interpreter in
    var receipt = try AuditRuns(besides: interpreter, named: "model").receipt()
    receipt.setting.version = Release.version
    return receipt.json
  }
}

@c @implementation public func OcellusInterpreterTrace(
  _ interpreter: OpaquePointer?
) -> UnsafeMutablePointer<CChar>? {
  inspection(of: interpreter, for: "Trace") {
    try AuditRuns(besides: $0, named: "model").trace(level: .stats).json
  }
}

@c @implementation public func OcellusInterpreterNodes(
  _ interpreter: OpaquePointer?
) -> UnsafeMutablePointer<CChar>? {
  guard let file = InterpreterObject.at(interpreter)?.model.file, let graph = file.subgraphs.first
  else { return nil }
  let nodes = graph.operators.enumerated().map { index, node -> JSONValue in
    [
      "index": .integer(index), "op_name": .string(file.operatorCodes[node.codeIndex].name),
      "inputs": .array(node.inputs.map { .integer($0) }),
      "outputs": .array(node.outputs.map { .integer($0) }),
    ]
  }
  return strdup(JSONValue.object(["nodes": .array(nodes)]).text)
}

@c @implementation public func OcellusStringDelete(_ string: UnsafeMutablePointer<CChar>?) {
  free(string)
}
