/// Hints in a graph at the meaning of its inputs and outputs, for callers that have to find out how
/// to use it.
///
/// The hints describe the numbers, not the operators that computed them.
package struct GraphFacts: Sendable {
  /// The facts about every input, in order.
  package let inputs: [InputFacts]
  /// The facts about every output, in order.
  package let outputs: [OutputFacts]

  package init(_ graph: Subgraph) {
    inputs = graph.inputs.map { InputFacts(of: $0, in: graph) }
    outputs = graph.outputs.map { OutputFacts(of: $0, in: graph) }
  }
}

/// The hints in a graph at the numbers that an input takes.
package struct InputFacts: Sendable {
  /// The range of an input's numbers, as the first operator shows it.
  package enum Range: Sendable, Equatable {
    /// The numbers are quantized, and values outside these bounds are clamped.
    case quantized(low: Float, high: Float)
    /// The numbers are scaled down, which only byte values need; people may read the operator's
    /// name.
    case scaledBytes(operatorName: String)
  }

  /// `nil` if the graph has no such hint, or if several operators read the input.
  package let range: Range?

  init(of tensor: Int, in graph: Subgraph) {
    let readers = graph.nodes.filter { $0.inputs.contains(tensor) }
    range = readers.count == 1 ? readers.first.flatMap { Self.range(shownBy: $0.spec) } : nil
  }

  private static func range(shownBy reader: NodeSpec) -> Range? {
    let name = reader.operatorName
    let factors = reader.inputs.compactMap { $0?.constantValues(Float.self) }.first ?? []
    switch name {
    case Quantize.definition.name: return quantizedRange(reader)
    // Dividing by a large number, or multiplying by a small fraction, means that bytes come in.
    case Mul.definition.name where factors.allSatisfy { abs($0) < 0.05 },
      Addition.sub.name where factors.allSatisfy { abs($0) > 20 },
      Div.definition.name where factors.allSatisfy { abs($0) > 20 }:
      return factors.isEmpty ? nil : .scaledBytes(operatorName: name)
    default: return nil
    }
  }

  private static func quantizedRange(_ reader: NodeSpec) -> Range? {
    guard let output = reader.outputs.first, let quantization = output.quantization,
      output.type == .int8 || output.type == .uint8
    else { return nil }
    let lowest = output.type == .int8 ? -128 : 0
    return .quantized(
      low: quantization.scale * Float(lowest - quantization.zeroPoint),
      high: quantization.scale * Float(lowest + 255 - quantization.zeroPoint))
  }
}
