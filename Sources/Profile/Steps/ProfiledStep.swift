package import OcellusEngine

/// A step of a profile: a node of the file, and those whose work is done with it.
public struct ProfiledStep: Sendable {
  /// A node of the file.
  public struct Node: Sendable {
    /// Its position in the subgraph.
    public let index: Int
    /// The schema's name of its operator, or the custom one's.
    public let operatorName: String
    /// What it multiplies and adds in a run of the model.
    public let multiplyAdds: Int
    /// The name of its first result.
    public let outputName: String
    /// The shape of its first result.
    public let shape: String
  }

  /// What the products of a step are made of, which decides how fast they can be.
  public enum Arithmetic: String, Sendable {
    /// 32-bit floats.
    case float
    /// 32-bit floats, 16 products for every 36 that the node has.
    case winogradFloats
    /// 8-bit numbers.
    case bytes
    /// The same with 16 products for 36.
    case winogradBytes

    /// What operands of these types, the first of a node, are multiplied as by a kernel: 8-bit weights as such,
    /// even with floats; `nil` where no limit is measured.
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

  /// The subgraph that it stands in.
  public let subgraph: Int
  /// The node that does the work.
  public let node: Int
  /// That one and the others, in the order of the file.
  public let nodes: [Node]
  /// The kernel that ran, with its type and instruction set; `reference` for plain loops.
  public let kernel: String
  /// Milliseconds in each run of the model, without those of steps inside it.
  public let milliseconds: [Double]
  /// The figures of these.
  public let time: TimeStatistics
  /// How often it ran in a run of the model.
  public let callsPerRun: Double
  /// Milliseconds in the first run of all, which meets memory that nobody has touched.
  public let firstMilliseconds: Double
  /// What it multiplies and adds in a run of the model.
  public let multiplyAdds: Int
  /// What the products are made of; `nil` where there are none, or none that a limit is measured for.
  public let arithmetic: Arithmetic?
  /// Bytes of operands and weights that it reads in a run, each counted once a call, as they are in the file.
  public let readByteCount: Int
  /// Bytes of results that it writes in a run.
  public let writtenByteCount: Int
  /// How much of their time all threads together worked for it, from 0 to 1; `nil` where nobody watched.
  public internal(set) var busyShare: Double?
  /// What the processor counted in a run of the model; empty where it was not asked.
  public internal(set) var counts: [ProcessorCounter: Double] = [:]
}

extension ProfiledStep {
  /// The operators in the order of the file: `CONV_2D + RELU`.
  public var operatorName: String { nodes.map(\.operatorName).joined(separator: " + ") }
  /// The shape of the last node's first result.
  public var shape: String { nodes.last?.shape ?? "" }
  /// The name of the last node's first result.
  public var outputName: String { nodes.last?.outputName ?? "" }
  /// Bytes that go in and out.
  public var byteCount: Int { readByteCount + writtenByteCount }
  /// Multiply-adds for each byte; `nil` where nothing is multiplied, or nothing moved.
  public var intensity: Double? {
    multiplyAdds > 0 && byteCount > 0 ? Double(multiplyAdds) / Double(byteCount) : nil
  }
  /// Thousands of millions of multiply-adds a second.
  public var gigaMultiplyAddsPerSecond: Double { rate(of: multiplyAdds) }
  /// Thousands of millions of bytes a second, in and out.
  public var gigabytesPerSecond: Double { rate(of: byteCount) }

  private func rate(of count: Int) -> Double {
    time.median > 0 ? Double(count) / time.median / 1e6 : 0
  }

  /// The layer that it belongs to: the name of its result up to the last slash, as frameworks write scopes.
  public var layerName: String {
    let name = outputName.prefix { $0 != ";" }
    guard let slash = name.lastIndex(of: "/") else { return String(name) }
    return String(name[..<slash])
  }
}
