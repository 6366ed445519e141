import OcellusArrays
import OcellusAudit
import OcellusEngine
import OcellusProof

/// Another engine that computes models: a program of the user, or this engine's reference kernels.
enum HuntPeer {
  case reference
  /// A command line, which gets the paths of the model, the inputs, and the results to write.
  case command(String, seconds: Double)

  /// How a peer ended.
  enum End: Equatable {
    case answered, refused, crashed, hung
  }

  /// Lets the peer compute a model that lies at a path.
  func end(of file: [UInt8], _ files: HuntFiles) throws -> End {
    switch self {
    case .reference:
      return try Self.run(file, files, .init(usesReferenceKernels: true)) ? .answered : .refused
    case .command(let text, let seconds):
      let command = FailingCommand(
        "\(text) {} \(files.inputs.shellWord) \(files.results.shellWord)", reading: files.model,
        seconds: seconds)
      switch try command.end(of: file) {
      case .code(0): return .answered
      // What the shell says of commands that it cannot start.
      case .code(126), .code(127):
        throw RunError("--against: the command cannot be started: \(text)")
      case .code(let code): return code > 128 ? .crashed : .refused
      case .tookTooLong: return .hung
      }
    }
  }

  /// Runs a model with this engine on the inputs of a file, and writes its results.
  ///
  /// - Returns: `false` if the model cannot be run.
  static func run(
    _ file: [UInt8], _ files: HuntFiles, _ options: Interpreter.Options
  ) throws -> Bool {
    let inputs = try TensorArchive(path: files.inputs)
    guard let interpreter = try? Interpreter(Model(bytes: file), options: options) else {
      return false
    }
    do {
      for (index, input) in interpreter.inputs.enumerated() {
        let tensor = try inputs.tensor(
          input.tensorIndex, name: input.name, type: input.type, quantization: nil)
        if let tensor { try interpreter.main.setInput(at: index, to: tensor) }
      }
      try interpreter.run()
    } catch is ModelError {
      return false
    }
    let store = try TensorStore(path: files.results)
    for (index, output) in interpreter.outputs.enumerated() where output.type != .string {
      let array = try NPYArray(
        of: output.type, shape: output.shape.dimensions,
        bytes: interpreter.main.withOutputBytes(at: index) { Array($0) })
      try store.write(array.file, named: output.fileName + ".npy")
    }
    try store.close()
    return true
  }
}

/// The files that two engines exchange.
struct HuntFiles {
  let folder: String
  var model: String { folder + "/candidate.tflite" }
  var inputs: String { folder + "/inputs.npz" }
  var results: String { folder + "/results.npz" }
}

extension TensorDescription {
  /// The name of the tensor's file, without its extension.
  var fileName: String {
    TensorFileName(subgraph: 0, call: 0, index: tensorIndex, name: name).stem
  }
}

extension String {
  /// The text as one word of a shell.
  fileprivate var shellWord: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
