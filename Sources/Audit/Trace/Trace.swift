public import OcellusEngine

/// The observations of one run of a model.
public struct Trace: Sendable {
  /// The conditions of a run.
  public struct Setting: Sendable, Equatable {
    /// The path of the model's file.
    public var model: String
    /// The SHA-256 of the model's file.
    public var modelDigest: String
    /// Whether nodes ran separately, so every result was in memory, instead of as planned.
    public var isMaterialized: Bool
    /// The information that was recorded for each tensor.
    public var level: TraceLevel
    /// The instruction set of the kernels, such as `avx512`, or `reference` for reference kernels.
    public var instructionSet: String
    /// The number of threads that shared the work.
    public var threads: Int
    /// Whether floats are bit-exact with the official reference kernels.
    public var isExact: Bool
    /// The name of how numbers were computed, as in receipts: such as `exact` or
    /// `litert-2.3/avx2`.
    public var numerics: String
  }

  /// A tensor that no node computes.
  public struct Source: Sendable {
    /// The subgraph of the tensor.
    public var subgraph: Int
    /// The observed properties of the tensor.
    public var tensor: TensorTrace
  }

  /// The conditions of the run.
  public var setting: Setting
  /// Inputs, constants and variables, in the order in which nodes first read them.
  public var sources: [Source] = []
  /// The nodes, in the order in which they finished.
  public var nodes: [NodeTrace] = []
  /// The number of bytes of tensors and scratch memory after the run.
  public var memoryByteCount = 0

  /// Makes an empty trace.
  public init(_ setting: Setting) { self.setting = setting }

  /// Adds an event that a tracer reported.
  public mutating func add(_ event: Tracer.Event) {
    switch event {
    case .source(let tensor, let subgraph):
      sources.append(Source(subgraph: subgraph, tensor: tensor))
    case .node(let node): nodes.append(node)
    }
  }

  /// The number of multiply-adds of all traced nodes.
  public var multiplyAdds: Int { nodes.reduce(0) { $0 + $1.multiplyAdds } }
}

extension Trace.Setting {
  /// Takes the conditions of an interpreter's runs.
  public init(_ interpreter: Interpreter, model: String, level: TraceLevel) {
    self.init(
      model: model, modelDigest: interpreter.model.fileHash,
      isMaterialized: interpreter.options.runsNodesSeparately,
      level: level, instructionSet: interpreter.instructionSet,
      threads: interpreter.options.threads, isExact: interpreter.options.numerics == .exact,
      numerics: interpreter.options.numericsName)
  }
}
