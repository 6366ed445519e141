import OcellusArrays
import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusPlatform

/// The task of running any model on arrays and pictures.
struct TensorWork: WorkerTask {
  /// The number of elements up to which an output's values are in the answer.
  static let maximumValues = 65536

  let model: ModelSource
  let options: Interpreter.Options
  let showing: InputOptions

  func answerers(_ count: Int) throws -> [RequestHandler] {
    let model = try self.model.open(at: { try Model(path: $0) }, or: { $0 })
    // Each interpreter is used by one thread only.
    return try (0..<count).map { _ in
      let interpreter = Confined(try Interpreter(model, options: options))
      return { request in
        try answer(request, by: interpreter.value)
      }
    }
  }

  private func answer(
    _ request: WorkRequest, by interpreter: Interpreter
  ) throws -> (input: [UInt8], result: JSONObject) {
    let start = MonotonicTime.now
    let entry = interpreter.main
    let files: InputFiles
    switch request.source {
    case .file(let path): files = try InputFiles([0: path])
    case .contents(let bytes): files = try InputFiles(contents: bytes, of: "data")
    case .inputs(let inputs):
      let texts = inputs.map { "\($0.name)=\($0.path)" }
      files = try InputFiles(InputAssignment(of: texts, to: entry.inputs).files)
    case nil: throw RunError(request.problem)
    }
    try files.copy(to: entry, showing: .init(interpreter.model, options, showing))
    // Variables must not keep values from the previous request.
    interpreter.resetState()
    try entry.run()
    let outputs = try entry.outputs.enumerated().map { index, output -> JSONValue in
      let bytes = try entry.withOutputBytes(at: index) { Array($0) }
      let array = try NPYArray(of: output.type, shape: output.shape.dimensions, bytes: bytes)
      let report = RunReport.Output(description: output, array: array, file: nil)
      return .object(
        report.json(valuesUpTo: Self.maximumValues)
          + ["sha256": .string(SHA256.hash(bytes).hexadecimal)])
    }
    return (
      files.bytes,
      ["outputs": .array(outputs), "milliseconds": .number(start.millisecondsToNow)]
    )
  }
}

/// A value that is passed to one thread, which alone uses it from then on.
private final class Confined<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
