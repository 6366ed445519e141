import CTensorFlowLite
import OcellusEngine
import OcellusHandles
import OcellusModelFile

/// What a `TfLiteInterpreter` is.
final class InterpreterObject: Handle {
  let model: SharedModel
  let options: RunOptions.Values
  private let graphs: GraphContexts
  /// The engine's interpreter, or why there is none; `nil` when the program has deleted this.
  ///
  /// A reason is one that the official library finds only when tensors are allocated.
  private var engine: Result<Interpreter, ModelError>?
  private var runningGraphs: [Int: RunningGraph] = [:]
  private var mainGraph: RunningGraph?
  private(set) lazy var signatureKeys = CStrings(model.file.signatures.map(\.key))
  /// The name of the kernels that run; `nil` where nothing can.
  private(set) lazy var instructionSet = interpreter.map { CStrings([$0.instructionSet]) }
  private var signatureNames: [Int?: SignatureNames] = [:]

  /// Makes an interpreter; `nil`, with a report, where the official library makes none.
  init?(_ model: SharedModel, options: RunOptions.Values, usesEngine: Bool = true) {
    self.model = model
    self.options = options
    graphs = GraphContexts(
      model.file, kernels: options.kernels,
      usesEngine: usesEngine && options.kernels.resolver == nil, reporter: options.reporter)
    do throws(ModelError) {
      let graph =
        options.kernels.isEmpty && usesEngine
        ? try model.model() : try Model(model.file, registry: graphs.registry())
      engine = .success(try Interpreter(graph, options: options.engine))
    } catch {
      let registry = graphs.registry()
      guard error.isFoundWhenAllocating(in: model.file, registry: registry) else {
        Self.report(error, in: model.file, registry, to: options.reporter)
        return nil
      }
      engine = .failure(error)
    }
    for delegate in options.delegates where main?.apply(delegate) != kTfLiteOk { return nil }
  }

  /// Says why there is no interpreter: in the official words where an operator is not known.
  private static func report(
    _ error: ModelError, in file: ModelFile, _ registry: OperatorRegistry,
    to reporter: ErrorReporter
  ) {
    let missing = file.operatorCodes.first {
      !$0.isCustom && registry[$0.name]?.versions.contains($0.version) != true
    }
    guard let missing else { return reporter.report(error.message) }
    if BuiltinOperator.names.indices.contains(missing.builtinCode) {
      reporter.report(
        "Didn't find op for builtin opcode '\(missing.name)' version '\(missing.version)'. "
          + "An older version of this builtin might be supported. "
          + "Are you using an old TFLite binary with a newer model?\n")
    } else {
      reporter.report(
        "Op builtin_code out of range: \(missing.builtinCode). "
          + "Are you using old TFLite binary with newer model?")
    }
    reporter.report("Registration failed.\n")
    reporter.explain(error.message)
  }

  /// Lets operators clear up and gives all memory back; what still refers to this is answered with errors.
  func close() {
    runningGraphs = [:]
    mainGraph = nil
    graphs.close()
    engine = nil
  }

  deinit { graphs.close() }

  // MARK: Subgraphs

  /// The engine's interpreter, if there is one.
  var interpreter: Interpreter? { try? engine?.get() }

  /// The main subgraph.
  var main: RunningGraph? {
    // Every call asks for it, and looking it up takes as long as a small layer.
    if let mainGraph { return mainGraph }
    mainGraph = runningGraph(0)
    return mainGraph
  }

  /// A subgraph that can be called: the main one, or that of a signature.
  private func runningGraph(_ index: Int, signature: String? = nil) -> RunningGraph? {
    guard let engine, let graph = graphs[index] else { return nil }
    if let running = runningGraphs[index] { return running }
    let entry = engine.flatMap { interpreter in
      Result { () throws(ModelError) in
        guard index > 0, let signature else { return interpreter.main }
        return try interpreter.signature(signature)
      }
    }
    let running = RunningGraph(
      graph, engine: entry,
      cancellation: options.allowsCancellation ? interpreter?.cancellation : nil)
    runningGraphs[index] = running
    return running
  }

  /// Stops the run in progress, if that may be.
  ///
  /// Called from other threads, it touches nothing that a run changes.
  func cancel() -> TfLiteStatus {
    guard options.allowsCancellation, let interpreter else { return kTfLiteError }
    interpreter.cancellation.cancel()
    return kTfLiteOk
  }

  // MARK: Signatures

  /// The subgraph of a signature and its names; `nil` as the position for the main subgraph by its own.
  func signature(at position: Int?) -> (graph: RunningGraph, names: SignatureNames)? {
    let signature = position.map { model.file.signatures[$0] }
    let index = signature?.subgraphIndex ?? 0
    guard let graph = runningGraph(index, signature: signature?.key) else { return nil }
    if let names = signatureNames[position] { return (graph, names) }
    let names = signature.map(SignatureNames.init) ?? SignatureNames(model.file.subgraphs[0])
    signatureNames[position] = names
    return (graph, names)
  }
}
