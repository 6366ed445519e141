public import Foundation
import OcellusEngine
import OcellusModelFile

/// An interpreter for a TensorFlow Lite model, with the API of the official Swift runtime.
///
/// Use an interpreter on one thread at a time.
public final class Interpreter {
  /// The options with which the interpreter was created.
  public let options: Options?
  /// The delegates with which the interpreter was created.
  public let delegates: [any Delegate]?

  /// The number of the model's inputs.
  public var inputTensorCount: Int { mainSubgraph?.inputs.count ?? 0 }
  /// The number of the model's outputs.
  public var outputTensorCount: Int { mainSubgraph?.outputs.count ?? 0 }
  /// The keys of the model's signatures, in the order of the file.
  public lazy var signatureKeys: [String] = model.file?.signatures.map(\.key) ?? []

  private let model: Model
  private let engine: OcellusEngine.Interpreter?
  /// The failure to create the engine, if the official runtime reports it in `allocateTensors()`.
  private let deferredFailure: ModelError?
  private let reporter: ErrorReporter

  private var mainSubgraph: SubgraphRecord? { model.file?.subgraphs.first }

  /// Creates an interpreter for a model file.
  public convenience init(
    modelPath: String, options: Options? = nil, delegates: [any Delegate]? = nil
  ) throws {
    guard let model = Model(filePath: modelPath) else { throw InterpreterError.failedToLoadModel }
    try self.init(model: model, options: options, delegates: delegates)
  }

  /// Creates an interpreter for a model in memory, which is copied.
  public convenience init(
    modelData: Data, options: Options? = nil, delegates: [any Delegate]? = nil
  ) throws {
    guard let model = Model(modelData: modelData) else { throw InterpreterError.failedToLoadModel }
    try self.init(model: model, options: options, delegates: delegates)
  }

  private init(model: Model, options: Options?, delegates: [any Delegate]?) throws {
    self.model = model
    self.options = options
    self.delegates = delegates
    reporter = ErrorReporter(isCustom: options != nil)
    for delegate in delegates ?? [] {
      reporter.inform("\(type(of: delegate)) is not available: the CPU runs the whole graph.")
    }
    guard let file = model.file else {
      if let failure = model.failure { reporter.report("\(failure)") }
      throw InterpreterError.failedToCreateInterpreter
    }
    do throws(ModelError) {
      var engineOptions = OcellusEngine.Interpreter.Options()
      if let threadCount = options?.threadCount, threadCount > 0 {
        engineOptions.threads = threadCount
      }
      engine = try OcellusEngine.Interpreter(
        OcellusEngine.Model(file), options: engineOptions)
      deferredFailure = nil
    } catch {
      guard error.isFoundWhenAllocating(in: file) else {
        reporter.report(error.message)
        throw InterpreterError.failedToCreateInterpreter
      }
      engine = nil
      deferredFailure = error
    }
  }

  // MARK: Running

  /// Runs the model on the inputs.
  public func invoke() throws {
    guard let main = engine?.main, !main.needsAllocation else {
      throw InterpreterError.allocateTensorsRequired
    }
    do {
      try main.run()
    } catch {
      // The official API has a single error for all failures; the cause is only reported.
      reporter.report(error.message)
      throw InterpreterError.allocateTensorsRequired
    }
  }

  /// Allocates memory for all tensors; required before the first run and after `resizeInput`.
  public func allocateTensors() throws {
    guard let engine else {
      if let deferredFailure { reporter.report(deferredFailure.message) }
      throw InterpreterError.failedToAllocateTensors
    }
    do {
      try engine.allocate()
    } catch {
      reporter.report(error.message)
      throw InterpreterError.failedToAllocateTensors
    }
  }

  // MARK: Tensors

  /// Returns a copy of the input at `index`.
  public func input(at index: Int) throws -> Tensor {
    try Self.check(index, count: inputTensorCount)
    guard let main = engine?.main,
      let tensor = try main.copyOfInput(
        at: index, isUntyped: InterpreterError.invalidTensorDataType)
    else { throw InterpreterError.allocateTensorsRequired }
    return tensor
  }

  /// Returns a copy of the output at `index`.
  public func output(at index: Int) throws -> Tensor {
    try Self.check(index, count: outputTensorCount)
    guard let main = engine?.main,
      let tensor = try main.copyOfOutput(
        at: index, isUntyped: InterpreterError.invalidTensorDataType)
    else { throw InterpreterError.invokeInterpreterRequired }
    return tensor
  }

  /// Changes the shape of an input; call `allocateTensors()` afterwards.
  public func resizeInput(at index: Int, to shape: Tensor.Shape) throws {
    try Self.check(index, count: inputTensorCount)
    do {
      try engine?.resizeInput(at: index, to: OcellusEngine.Shape(shape.dimensions))
    } catch {
      reporter.report(error.message)
      throw InterpreterError.failedToResizeInputTensor(index: index)
    }
  }

  /// Copies bytes into the input at `index`.
  @discardableResult
  public func copy(_ data: Data, toInputAt index: Int) throws -> Tensor {
    try Self.check(index, count: inputTensorCount)
    guard let main = engine?.main else { throw InterpreterError.allocateTensorsRequired }
    let required = main.inputs[index].byteCount
    guard data.count == required else {
      throw InterpreterError.invalidTensorDataCount(provided: data.count, required: required)
    }
    guard let bytes = main.placedInputBytes(at: index) else {
      throw InterpreterError.allocateTensorsRequired
    }
    data.copyBytes(to: bytes)
    return try input(at: index)
  }

  private static func check(_ index: Int, count: Int) throws {
    guard (0..<count).contains(index) else {
      throw InterpreterError.invalidTensorIndex(index: index, maxIndex: count - 1)
    }
  }

  // MARK: Signatures

  /// Returns a runner for a signature.
  public func signatureRunner(with key: String) throws -> SignatureRunner {
    guard signatureKeys.contains(key) else {
      throw SignatureRunnerError.failedToCreateSignatureRunner(signatureKey: key)
    }
    guard let entryPoint = try? engine?.signature(key) else {
      throw SignatureRunnerError.failedToAllocateTensors
    }
    return try SignatureRunner(
      interpreter: self, entryPoint: entryPoint, signatureKey: key, reporter: reporter)
  }
}

extension Interpreter {
  /// The options of an interpreter.
  public struct Options: Equatable, Hashable {
    /// The number of threads; with `nil` or a value below 1, the runtime chooses.
    public var threadCount: Int?
    /// Enables the official runtime's XNNPACK delegate; has no effect here.
    public var isXNNPackEnabled: Bool = false

    /// Creates the default options.
    public init() {}
  }
}

/// The old name of `Interpreter.Options`.
@available(*, deprecated, renamed: "Interpreter.Options")
public typealias InterpreterOptions = Interpreter.Options
