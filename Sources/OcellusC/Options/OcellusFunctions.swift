// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What the functions do is said in the headers.

public import CTensorFlowLite
import OcellusEngine
import OcellusHandles
import OcellusPlatform

// Ocellus…: what the official interface has no words for.

@c @implementation public func OcellusInterpreterOptionsSetExact(
  _ options: OpaquePointer?, _ isExact: Bool
) { RunOptions.at(options)?.values.engine.numerics = isExact ? .exact : .fast }

@c @implementation public func OcellusInterpreterOptionsSetKeepsTensors(
  _ options: OpaquePointer?, _ keeps: Bool
) { RunOptions.at(options)?.values.engine.keepsNodesApart = keeps }

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
    // A century is long enough, and fits.
    budget.time = .seconds(min(wanted.seconds, 3e9))
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

@c @implementation public func OcellusInterpreterAudit(
  _ interpreter: OpaquePointer?
) -> UnsafeMutablePointer<CChar>? {
  guard let object = InterpreterObject.at(interpreter), let engine = object.interpreter,
    let audit = object.main?.audit(engine)
  else { return nil }
  return strdup(audit)
}

@c @implementation public func OcellusStringDelete(_ string: UnsafeMutablePointer<CChar>?) {
  free(string)
}
