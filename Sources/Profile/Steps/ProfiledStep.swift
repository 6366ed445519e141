public import OcellusEngine

/// A step of a profile: a node of the file and the nodes fused into it.
public struct ProfiledStep: Sendable {
  /// A node of the file.
  public struct Node: Sendable {
    /// The node's index in the subgraph.
    public let index: Int
    /// The operator's name in the schema, or the name of a custom operator.
    public let operatorName: String
    /// The number of multiply-adds in one run of the model.
    public let multiplyAdds: Int
    /// The name of the first result.
    public let outputName: String
    /// The shape of the first result.
    public let shape: String
  }

  /// The kind of a step's arithmetic, which determines its peak rate.
  public enum Arithmetic: String, Sendable {
    /// Multiply-adds of 32-bit floats.
    case float
    /// Winograd convolution of 32-bit floats, with 16 multiplications instead of 36.
    case winogradFloats
    /// Multiply-adds of 8-bit numbers.
    case bytes
    /// Winograd convolution of 8-bit numbers, with 16 multiplications instead of 36.
    case winogradBytes

    /// Determines the arithmetic from the types of a node's first operands and the kernel's name.
    ///
    /// 8-bit weights count as 8-bit arithmetic even with float activations. The result is `nil` if
    /// no limit is measured for the types.
    package init?(operands types: some Sequence<ElementType>, kernel: String) {
      let types = types.filter { $0 != .int32 && $0 != .int64 }.prefix(2)
      if types.contains(.int16) { return nil }
      if types.contains(where: { [.int8, .uint8, .int4].contains($0) }) {
        self = kernel.contains(winogradMark) ? .winogradBytes : .bytes
      } else if types.first == .float32 {
        self = kernel.contains(winogradMark) ? .winogradFloats : .float
      } else {
        return nil
      }
    }
  }

  /// The subgraph that contains the step.
  public let subgraph: Int
  /// The node that does the work.
  public let node: Int
  /// The step's nodes, in the order of the file.
  public let nodes: [Node]
  /// The kernel's name, with its type and instruction set; `reference` for reference kernels.
  public let kernel: String
  /// The ground on which the kernel's strategy was chosen; `nil` if there was no choice.
  public let strategyBasis: StrategyChoice.Basis?
  /// The duration in each run that counts in milliseconds, without steps inside it.
  public let milliseconds: [Double]
  /// The statistics of the durations.
  public let time: TimeStatistics
  /// The number of calls in one run of the model.
  public let callsPerRun: Double
  /// The duration in the very first run in milliseconds, which includes page faults.
  public let firstMilliseconds: Double
  /// The number of multiply-adds in one run of the model.
  public let multiplyAdds: Int
  /// The kind of arithmetic; `nil` if there is none, or no limit is measured for it.
  public let arithmetic: Arithmetic?
  /// The size of operands and weights read in a run, counted once per call, in the file's layout.
  public let readByteCount: Int
  /// The size of results written in a run.
  public let writtenByteCount: Int
  /// The share of the step's time that all threads were busy, from 0 to 1; `nil` if not measured.
  public internal(set) var busyShare: Double?
  /// The performance counts of one run of the model; empty if not measured.
  public internal(set) var counts: [ProcessorCounter: Double] = [:]
}

extension ProfiledStep {
  /// The operators in the order of the file, such as `CONV_2D + RELU`.
  public var operatorName: String { nodes.map(\.operatorName).joined(separator: " + ") }
  /// The shape of the last node's first result.
  public var shape: String { nodes.last?.shape ?? "" }
  /// The name of the last node's first result.
  public var outputName: String { nodes.last?.outputName ?? "" }
  /// The number of bytes read and written.
  public var byteCount: Int { readByteCount + writtenByteCount }
  /// The number of multiply-adds per byte; `nil` if the step multiplies or copies nothing.
  public var intensity: Double? {
    multiplyAdds > 0 && byteCount > 0 ? Double(multiplyAdds) / Double(byteCount) : nil
  }
  /// The rate of multiply-adds, in 10⁹ per second.
  public var gigaMultiplyAddsPerSecond: Double { rate(of: multiplyAdds) }
  /// The rate of bytes read and written, in 10⁹ per second.
  public var gigabytesPerSecond: Double { rate(of: byteCount) }

  private func rate(of count: Int) -> Double {
    time.median > 0 ? Double(count) / time.median / 1e6 : 0
  }

  /// The name of the layer: the result's name up to the last slash, which ends the scope.
  public var layerName: String {
    let name = outputName.prefix { $0 != ";" }
    guard let slash = name.lastIndex(of: "/") else { return String(name) }
    return String(name[..<slash])
  }
}
