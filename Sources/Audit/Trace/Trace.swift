public import OcellusEngine

/// Everything that was seen in a run of a model.
public struct Trace: Sendable {
  /// How the model was run.
  public struct Setting: Sendable, Equatable {
    /// The model's file.
    public var model: String
    /// The SHA-256 of the model's file.
    public var modelDigest: String
    /// Whether every node ran by itself, so that all tensors could be seen: else as plans run.
    public var isMaterialized: Bool
    /// What was found out of each tensor.
    public var level: TraceLevel
    /// The kernels that ran: `avx512`, or `reference` for plain loops.
    public var instructionSet: String
    /// The threads that shared the work.
    public var threads: Int
    /// Whether floats have the bits of the official reference kernels.
    public var isExact: Bool
  }

  /// A tensor that no node made.
  public struct Source: Sendable {
    /// The subgraph that it belongs to.
    public var subgraph: Int
    /// What was seen of it.
    public var tensor: TensorTrace
  }

  /// How the model was run.
  public var setting: Setting
  /// Inputs, constants and variables, in the order in which nodes first read them.
  public var sources: [Source] = []
  /// The nodes in the order in which they ran.
  public var nodes: [NodeTrace] = []
  /// The bytes that tensors and working memory took behind the run.
  public var memoryByteCount = 0

  /// A trace of nothing so far.
  public init(_ setting: Setting) { self.setting = setting }

  /// Adds what a tracer saw.
  public mutating func add(_ event: Tracer.Event) {
    switch event {
    case .source(let tensor, let subgraph):
      sources.append(Source(subgraph: subgraph, tensor: tensor))
    case .node(let node): nodes.append(node)
    }
  }

  /// The multiply-adds of the nodes that were seen.
  public var multiplyAdds: Int { nodes.reduce(0) { $0 + $1.multiplyAdds } }
}

extension Trace.Setting {
  /// How an interpreter runs a model of this file.
  public init(_ interpreter: Interpreter, model: String, level: TraceLevel) {
    self.init(
      model: model, modelDigest: interpreter.model.fileHash,
      isMaterialized: interpreter.options.keepsNodesApart,
      level: level, instructionSet: interpreter.instructionSet,
      threads: interpreter.options.threads, isExact: interpreter.options.numerics == .exact)
  }
}
