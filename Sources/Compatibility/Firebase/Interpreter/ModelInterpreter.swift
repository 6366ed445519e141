public import Foundation
public import OcellusCompatibility
import OcellusEngine
import OcellusVision
import Synchronization

/// Runs a custom model on numbers.
///
/// The model is read at its first use; what is wrong with it is the error of that run. An interpreter can
/// be used from any thread: runs follow each other in the order in which they are asked for.
public final class ModelInterpreter: NSObject, Sendable {
  private let source: ModelSource
  private let threads: Int
  private let queue = DispatchQueue(label: "ocellus.numbers", qos: .userInitiated)
  private let loaded = Mutex<OcellusEngine.Interpreter?>(nil)

  private init(_ source: ModelSource, threads: Int?) {
    self.source = source
    self.threads = threads ?? ThreadCount.usual
  }

  /// An interpreter of a model on this machine; `threadCount`, which the original does not offer, is the
  /// number of threads that share the work, `nil` the usual for the machine.
  public static func modelInterpreter(
    localModel: CustomLocalModel, threadCount: Int? = nil
  ) -> ModelInterpreter {
    ModelInterpreter(localModel.source, threads: threadCount)
  }

  /// An interpreter of a hosted model, which must have been downloaded when it is run.
  public static func modelInterpreter(
    remoteModel: CustomRemoteModel, threadCount: Int? = nil
  ) -> ModelInterpreter {
    ModelInterpreter(remoteModel.source, threads: threadCount)
  }

  /// Runs the model; returns at once.
  ///
  /// `completion` is called on the main queue, which the program has to run, with outputs or an error.
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

  /// The number of the input with this name.
  ///
  /// - Throws: `ProcessingError`.
  public func inputIndex(forOp opName: String) throws -> UInt {
    try withInterpreter { interpreter throws(ProcessingError) in
      try Self.index(of: opName, among: interpreter.inputs.map(\.name))
    }
  }

  /// The number of the output with this name.
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

  /// Uses the interpreter, which is made when it is first needed.
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
