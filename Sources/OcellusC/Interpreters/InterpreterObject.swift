import CTensorFlowLite
import OcellusEngine
import OcellusHandles
import OcellusModelFile

/// The object behind a `TfLiteInterpreter`.
final class InterpreterObject: Handle {
  let model: SharedModel
  let options: RunOptions.Values
  private let graphs: GraphContexts
  /// The engine's interpreter or the error that prevents it; `nil` after deletion by the program.
  ///
  /// An error is stored only if the official library too reports it first when tensors are
  /// allocated.
  private var engine: Result<Interpreter, ModelError>?
  private var runningGraphs: [Int: RunningGraph] = [:]
  private var mainGraph: RunningGraph?
  private(set) lazy var signatureKeys = CStrings(model.file.signatures.map(\.key))
  /// The name of the instruction set of the kernels; `nil` if the model cannot run.
  private(set) lazy var instructionSet = interpreter.map { CStrings([$0.instructionSet]) }
  private var signatureNames: [Int?: SignatureNames] = [:]

  /// Makes an interpreter, or reports why and returns `nil` where the official library does so too.
  init?(_ model: SharedModel, options: RunOptions.Values, usesEngine: Bool = true) {
    self.model = model
    self.options = options
    graphs = GraphContexts(
      model.file, kernels: options.kernels,
      usesEngine: usesEngine && options.kernels.resolver == nil, threads: options.engine.threads,
      reporter: options.reporter)
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
    if options.hasWrongThreadCount {
      options.reporter.report(
        "num_threads should be >=0 or just -1 to let TFLite runtime set the value.")
    }
    for delegate in options.delegates where main?.apply(delegate) != kTfLiteOk { return nil }
  }

  /// Reports why there is no interpreter, with the official message if an operator is unknown.
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

  /// Frees the operators and all memory; objects that still refer to this then answer with errors.
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
    // Every call of the C API asks for it, and the dictionary lookup takes as long as a small
    // layer.
    if let mainGraph { return mainGraph }
    mainGraph = runningGraph(0)
    return mainGraph
  }

  /// Returns a subgraph that can be called: the main one, or that of a signature.
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

  /// Cancels the run in progress, if the options allow it.
  ///
  /// Other threads may call this: it reads nothing that a run changes.
  func cancel() -> TfLiteStatus {
    guard options.allowsCancellation, let interpreter else { return kTfLiteError }
    interpreter.cancellation.cancel()
    return kTfLiteOk
  }

  // MARK: Signatures

  /// Returns the subgraph and the names of a signature, or those of the main subgraph for `nil`.
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
