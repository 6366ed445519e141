package import OcellusEngine

/// The runs of an audit: the model is run anew for each question, always on the same inputs.
package struct AuditRuns {
  /// The model's name in reports.
  private let name: String
  private let prepared: () throws -> Interpreter

  /// Creates runs; `prepared` makes interpreters that run nodes separately and whose inputs are
  /// set.
  package init(of name: String, prepared: @escaping () throws -> Interpreter) {
    self.name = name
    self.prepared = prepared
  }

  /// A function that receives each tensor while it is in memory.
  package typealias Look = (
    _ tensor: TensorTrace, _ subgraph: Int, _ bytes: UnsafeRawBufferPointer
  ) -> Void

  /// Traces a run and passes every tensor to `look`.
  package func trace(
    level: TraceLevel = .full, look: @escaping Look = { _, _, _ in }
  ) throws -> Trace {
    let interpreter = try prepared()
    var trace = Trace(.init(interpreter, model: name, level: level))
    let tracer = Tracer(
      level: level,
      keep: { tensor, subgraph, _, bytes in
        look(tensor, subgraph, bytes)
        return nil
      }, report: { trace.add($0) })
    interpreter.observer = tracer
    try interpreter.run()
    try tracer.check()
    trace.memoryByteCount = interpreter.memoryInUse
    return trace
  }

  /// Returns the hashes of everything that the model computes.
  package func receipt() throws -> Receipt { try ReceiptRecorder().receipt(of: prepared()) }

  /// Compares the layers with those of another run, which is the reference.
  package func comparison(
    with other: (LiveStream) throws -> any TensorStream,
    progress: (_ node: Int) -> Void = { _ in }
  ) throws -> AuditReport.Comparison {
    let own = LiveStream(try prepared(), title: name)
    let reference = try other(own)
    var layers: [LayerComparison] = []
    let comparison = try RunComparison(reference, own)
    try comparison.run { layer in
      layers.append(layer)
      progress(layer.secondNode)
    }
    var models: ModelComparison?
    if let other = reference.replay?.model, let model = own.replay?.model, other !== model {
      models = try ModelComparison(other.file, model.file)
    }
    return .init(
      title: reference.title, layers: layers, hasSameGraph: comparison.hasSameGraph,
      models: models)
  }

  /// Compares the layers with those of a model, or of this one with other options.
  ///
  /// The other run gets the same inputs.
  package func comparison(
    withRunOf model: Model, options: Interpreter.Options, title: String,
    progress: (_ node: Int) -> Void = { _ in }
  ) throws -> AuditReport.Comparison {
    try comparison(
      with: { first in
        let interpreter = try Interpreter(model, options: options)
        try interpreter.main.setInputs(to: first.inputs())
        return LiveStream(interpreter, title: title)
      }, progress: progress)
  }
}

extension AuditRuns {
  /// Makes runs on the current inputs of an interpreter.
  ///
  /// They leave the interpreter as it is: they use new interpreters with its options, which run
  /// nodes separately and start from the initial state of variables.
  package init(besides interpreter: Interpreter, named name: String) throws {
    let (model, options) = (interpreter.model, interpreter.options.keepingNodesApart)
    let inputs = try interpreter.main.storedInputs()
    self.init(of: name) {
      let interpreter = try Interpreter(model, options: options)
      try interpreter.main.setInputs(to: inputs)
      return interpreter
    }
  }
}

extension AuditReport {
  /// Audits a run on an interpreter's current inputs, compared with the reference kernels.
  ///
  /// The interpreter is left as it is.
  package init(of interpreter: Interpreter, named name: String) throws {
    let runs = try AuditRuns(besides: interpreter, named: name)
    self.init(interpreter.model, trace: try runs.trace(), receipt: try runs.receipt())
    var options = interpreter.options.keepingNodesApart
    options.usesReferenceKernels = true
    comparison = try runs.comparison(
      withRunOf: interpreter.model, options: options, title: "\(name)@reference")
  }
}

extension Interpreter.Options {
  fileprivate var keepingNodesApart: Interpreter.Options {
    var options = self
    options.runsNodesSeparately = true
    return options
  }
}
