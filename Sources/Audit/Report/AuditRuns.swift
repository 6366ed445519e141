package import OcellusEngine

/// What an audit looks at: a model is run anew for each thing that is to be found out, always on the same
/// inputs.
package struct AuditRuns {
  /// What the reports call the model.
  private let name: String
  private let prepared: () throws -> Interpreter

  /// Runs of the interpreters that `prepared` makes: they keep nodes apart, and their inputs are set.
  package init(of name: String, prepared: @escaping () throws -> Interpreter) {
    self.name = name
    self.prepared = prepared
  }

  /// Sees a tensor while it is there.
  package typealias Look = (
    _ tensor: TensorTrace, _ subgraph: Int, _ bytes: UnsafeRawBufferPointer
  ) -> Void

  /// What there is to see of every tensor, which `look` is shown.
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

  /// What was computed, in hashes.
  package func receipt() throws -> Receipt { try ReceiptMaker().receipt(of: prepared()) }

  /// How the layers compare with those of somebody else.
  package func comparison(
    with other: (LiveStream) throws -> any TensorStream,
    progress: (_ node: Int) -> Void = { _ in }
  ) throws -> AuditReport.Comparison {
    let first = LiveStream(try prepared(), title: name)
    let second = try other(first)
    var layers: [LayerComparison] = []
    let comparison = try RunComparison(first, second)
    try comparison.run { layer in
      layers.append(layer)
      progress(layer.firstNode)
    }
    return (second.title, layers, comparison.isSameModel)
  }

  /// How the layers compare with those of a model on the same inputs, or of this one run in another way.
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
  /// Runs beside an interpreter, on its present inputs.
  ///
  /// The interpreter is left as it is: others, of the same options but for nodes kept apart, run from the state
  /// that variables have at first.
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
  /// What a run of an interpreter on its present inputs computes, beside what the plain loops do.
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
    options.keepsNodesApart = true
    return options
  }
}
