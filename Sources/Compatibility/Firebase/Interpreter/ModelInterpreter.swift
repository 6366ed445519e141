public import Foundation
public import OcellusCompatibility
import OcellusEngine
import OcellusVision
import Synchronization

/// An interpreter that runs a custom model on numbers.
///
/// The model is loaded in the first run, which fails if the model cannot be loaded. An interpreter
/// can be used on any thread; its runs are executed in the order of their calls.
public final class ModelInterpreter: NSObject, Sendable {
  private let source: ModelSource
  private let threads: Int
  private let queue = DispatchQueue(label: "ocellus.numbers", qos: .userInitiated)
  private let loaded = Mutex<OcellusEngine.Interpreter?>(nil)

  private init(_ source: ModelSource, threads: Int?) {
    self.source = source
    self.threads = threads ?? ThreadCount.usual
  }

  /// Creates an interpreter for a model on this machine.
  ///
  /// `threadCount`, an addition to the original API, is the number of threads for a run; `nil`
  /// selects the machine's default.
  public static func modelInterpreter(
    localModel: CustomLocalModel, threadCount: Int? = nil
  ) -> ModelInterpreter {
    ModelInterpreter(localModel.source, threads: threadCount)
  }

  /// Creates an interpreter for a hosted model, which must be downloaded before the first run.
  public static func modelInterpreter(
    remoteModel: CustomRemoteModel, threadCount: Int? = nil
  ) -> ModelInterpreter {
    ModelInterpreter(remoteModel.source, threads: threadCount)
  }

  /// Runs the model asynchronously.
  ///
  /// `completion` is called on the main queue, which the app must run, with the outputs or an
  /// error.
  public func run(
    inputs: ModelInputs, options: ModelInputOutputOptions,
    completion: @escaping @MainActor (ModelOutputs?, (any Error)?) -> Void
  ) {
    let run = ModelRun(contents: inputs.contents, inputs: options.inputs, outputs: options.outputs)
    queue.async { [self] in
      let result = Result { () throws(ProcessingError) in
        try withInterpreter { interpreter throws(ProcessingError) in try run(interpreter) }
      }
      DispatchQueue.main.async {
        switch result {
        case .success(let outputs): completion(outputs, nil)
        case .failure(let error): completion(nil, error)
        }
      }
    }
  }

  /// Returns the index of the input with this name.
  ///
  /// - Throws: `ProcessingError`.
  public func inputIndex(forOp opName: String) throws -> UInt {
    try withInterpreter { interpreter throws(ProcessingError) in
      try Self.index(of: opName, among: interpreter.inputs.map(\.name))
    }
  }

  /// Returns the index of the output with this name.
  ///
  /// - Throws: `ProcessingError`.
  public func outputIndex(forOp opName: String) throws -> UInt {
    try withInterpreter { interpreter throws(ProcessingError) in
      try Self.index(of: opName, among: interpreter.outputs.map(\.name))
    }
  }

  private static func index(
    of name: String, among names: [String]
  ) throws(ProcessingError) -> UInt {
    guard let index = names.firstIndex(of: name) else {
      throw .invalidArgument("nothing is called '\(name)'; there are \(names)")
    }
    return UInt(index)
  }

  /// Calls `body` with the interpreter, which is created on first use.
  private func withInterpreter<Value: Sendable>(
    _ body: (OcellusEngine.Interpreter) throws(ProcessingError) -> Value
  ) throws(ProcessingError) -> Value {
    try loaded.withLock { loaded throws(ProcessingError) in
      if let loaded { return try body(loaded) }
      let path = try source.localPath()
      let interpreter: OcellusEngine.Interpreter
      do throws(ModelError) {
        interpreter = try OcellusEngine.Interpreter(
          OcellusEngine.Model(path: path), options: .init(threads: threads))
      } catch {
        throw .failedToInitializeInterpreter(error.description)
      }
      let value = try body(interpreter)
      loaded = interpreter
      return value
    }
  }
}
