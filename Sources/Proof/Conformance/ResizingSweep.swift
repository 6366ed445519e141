import OcellusEngine

/// Checks that results do not depend on what an interpreter did before.
///
/// A case's inputs are resized, run, and resized back, in interpreters that share a model, and
/// everything must be as with fresh interpreters.
struct ResizingSweep {
  let conformanceCase: ConformanceCase
  let options: Interpreter.Options

  /// The maximum size of resized inputs, to keep a case within milliseconds.
  private static let maximumElements = 1 << 20

  /// The outcome of a sequence of calls.
  private enum Outcome: Equatable {
    case results([[UInt8]])
    case error(String)
  }

  /// Returns the first difference from fresh interpreters, or `nil`.
  func problem() throws -> String? {
    var (tuned, reference) = (options, options)
    tuned.usesReferenceKernels = false
    reference.usesReferenceKernels = true
    let modes = [("tuned", tuned), ("reference", reference)]
    for order in [modes, modes.reversed()] {
      let shared = try model()
      for (name, options) in order {
        if let problem = try problem(in: shared, options) {
          return "\(name), \(order[0].0) first: \(problem)"
        }
      }
    }
    return nil
  }

  private func model() throws -> Model {
    try conformanceCase.files.model(at: conformanceCase.modelPath)
  }

  private func problem(in shared: Model, _ options: Interpreter.Options) throws -> String? {
    let interpreter = try Interpreter(shared, options: options)
    let fresh = try Interpreter(model(), options: options)
    let first = run(fresh)
    let shapes = try entry(of: interpreter)?.inputs.map(\.shape) ?? []
    guard run(interpreter) == first else { return "not as with a model of its own" }
    guard let entry = try entry(of: interpreter),
      let inputs = conformanceCase.invocations.first?.inputs
    else { return nil }
    for larger in Self.variants(of: shapes) {
      interpreter.resetState()
      let outcome = run(larger, in: entry, inputs)
      let other = try Interpreter(model(), options: options)
      guard let otherEntry = try self.entry(of: other) else { return nil }
      let names = larger.map(\.description).joined(separator: ", ")
      guard outcome == run(larger, in: otherEntry, inputs) else {
        return "resized to \(names), not as in a fresh interpreter"
      }
      interpreter.resetState()
      try resize(entry, to: shapes)
      guard run(interpreter) == first else { return "not as before, after a resize to \(names)" }
    }
    return nil
  }

  /// Returns the shapes to try: each input longer along each axis, and all with twice the batch.
  private static func variants(of shapes: [Shape]) -> [[Shape]] {
    var variants: [[Shape]] = []
    for (position, shape) in shapes.enumerated() {
      for axis in shape.dimensions.indices {
        var longer = shapes
        longer[position].dimensions[axis] += 1
        variants.append(longer)
      }
    }
    variants.append(
      shapes.map { shape in
        var longer = shape
        if shape.rank > 0 { longer.dimensions[0] *= 2 }
        return longer
      })
    return variants.filter { shapes in shapes.allSatisfy { $0.elementCount <= maximumElements } }
  }

  private func entry(of interpreter: Interpreter) throws -> EntryPoint? {
    guard let invocation = conformanceCase.invocations.first else { return nil }
    return try invocation.signature.map { try interpreter.signature($0) } ?? interpreter.main
  }

  private func resize(_ entry: EntryPoint, to shapes: [Shape]) throws(ModelError) {
    for (position, shape) in shapes.enumerated() {
      try entry.resizeInput(at: position, to: shape)
    }
  }

  /// Runs the case as it is.
  private func run(_ interpreter: Interpreter) -> Outcome {
    interpreter.resetState()
    do {
      var caseRun = CaseRun(conformanceCase, options: options)
      let results = try caseRun.results(of: interpreter)
      return .results(
        zip(conformanceCase.invocations, results).flatMap { invocation, results in
          zip(invocation.outputs, results).map { output, result in
            isRandom(output) ? [] : Array(result.bytes.prefix(output.definedByteCount))
          }
        })
    } catch {
      return .error("\(error)")
    }
  }

  /// Runs the first invocation with resized inputs, filled by repeating the case's values.
  private func run(
    _ shapes: [Shape], in entry: EntryPoint, _ inputs: [ConformanceTensor]
  ) -> Outcome {
    do {
      try resize(entry, to: shapes)
      try entry.allocate()
      for input in inputs { try fill(entry, input) }
      try entry.run()
      let outputs = conformanceCase.invocations.first?.outputs ?? []
      return .results(
        try outputs.map { output in
          // Undefined bytes differ from run to run.
          if isRandom(output) || output.definedByteCount < output.range.count { return [] }
          return try entry.withOutputBytes(at: output.index) { Array($0) }
        })
    } catch {
      return .error("\(error)")
    }
  }

  private func fill(_ entry: EntryPoint, _ input: ConformanceTensor) throws {
    let values = Array(conformanceCase.values[input.range])
    // String tensors need one offset per element, so a larger tensor is filled with empty strings.
    if entry.inputDescription(at: input.index).type == .string {
      return try entry.fillWithEmptyStrings(at: input.index)
    }
    try entry.withInputBytes(at: input.index) { bytes in
      for index in bytes.indices {
        bytes[index] = values.isEmpty ? 0 : values[index % values.count]
      }
    }
  }

  private func isRandom(_ output: ConformanceTensor) -> Bool {
    if case .statistical = conformanceCase.tolerance(of: output) { return true }
    return false
  }
}
