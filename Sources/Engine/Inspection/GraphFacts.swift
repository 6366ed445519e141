/// What a graph shows of the meaning of its inputs and outputs, for those who have to find out how
/// to use it.
///
/// Operators' names stay in here: who reads this is told what numbers are, not what made them.
package struct GraphFacts: Sendable {
  /// For every input, in their order.
  package let inputs: [InputFacts]
  /// For every output, in their order.
  package let outputs: [OutputFacts]

  package init(_ graph: Subgraph) {
    inputs = graph.inputs.map { InputFacts(of: $0, in: graph) }
    outputs = graph.outputs.map { OutputFacts(of: $0, in: graph) }
  }
}

/// What a graph does first with an input.
package struct InputFacts: Sendable {
  /// What the first operator shows of the numbers that the input takes.
  package enum Range: Sendable, Equatable {
    /// They are quantized: nothing outside of these bounds is kept.
    case quantized(low: Float, high: Float)
    /// Arithmetic makes them smaller, as only bytes have to be; the operator's name is for people.
    case scaledBytes(operatorName: String)
  }

  /// `nil` where the graph shows nothing of the kind, or several operators read the input.
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
    // Dividing by more than a few, or multiplying by less than a fraction: from bytes.
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
