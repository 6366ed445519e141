package import OcellusAudit
import OcellusEngine

/// Whatever computes single nodes: the engine, or in tests an engine with a planted fault.
package protocol NodeEngine {
  /// Prepares to compute a model of one node.
  func session(of file: [UInt8], _ settings: NodeSettings) throws -> any NodeSession
}

/// A model of one node that is ready to be computed.
package protocol NodeSession {
  /// The name of the kernel that computes the node.
  var kernel: String { get }
  /// The strategy of the kernel; `nil` if there is only one.
  var strategy: KernelName? { get }
  /// Computes the node.
  func results(of operands: [StoredTensor]) throws -> [StoredTensor]
}

/// How a node is to be computed.
package struct NodeSettings: Sendable {
  /// Whether the reference kernel is to run, which is the specification.
  package var isReference = false
  /// The strategy that is to run, if it accepts the node.
  package var strategy: KernelName?
  /// Whether floats have the bits of the official kernels, as in models that round them.
  package var isExact = false

  package init() {}
}

/// A family of kernels and one of its strategies.
package struct KernelName: Sendable, Hashable {
  package let family: String
  package let name: String
}

/// The engine itself.
package struct OwnEngine: NodeEngine {
  /// The instruction set; `nil` for the best one.
  private let instructionSet: String?

  package init(instructionSet: String? = nil) { self.instructionSet = instructionSet }

  package func session(of file: [UInt8], _ settings: NodeSettings) throws -> any NodeSession {
    var options = Interpreter.Options(
      usesReferenceKernels: settings.isReference,
      numerics: settings.isExact ? .exact : .fast,
      instructionSet: settings.isReference ? nil : instructionSet, runsNodesSeparately: true)
    if let strategy = settings.strategy, !settings.isReference {
      options.strategies = [strategy.family: strategy.name]
    }
    return try OwnSession(Interpreter(Model(bytes: file), options: options))
  }
}

private struct OwnSession: NodeSession {
  private let interpreter: Interpreter

  init(_ interpreter: Interpreter) throws {
    self.interpreter = interpreter
    try interpreter.allocate()
  }

  var kernel: String { interpreter.plan.nodes.first?.execution.kernelName ?? "none" }

  var strategy: KernelName? {
    interpreter.plan.nodes.first?.strategy.map { KernelName(family: $0.family, name: $0.name) }
  }

  func results(of operands: [StoredTensor]) throws -> [StoredTensor] {
    for (index, operand) in operands.enumerated() {
      try interpreter.main.setInput(at: index, to: operand)
    }
    try interpreter.run()
    return try interpreter.outputs.enumerated().map { index, output in
      StoredTensor(
        type: output.type, shape: output.shape,
        bytes: try interpreter.main.withOutputBytes(at: index) { Array($0) })
    }
  }
}
