import OcellusEngine
package import OcellusModelFile

/// A comparison of two models' files, without running them: constants, options, quantization, types
/// and shapes.
///
/// Files with the same graphs are compared tensor by tensor and node by node. Of other files, the
/// nodes that belong together are compared, as when the models are run. Names, descriptions and
/// metadata do not count.
package struct ModelComparison: Sendable {
  /// Whether the files have the same nodes between the same tensors.
  package private(set) var hasSameGraphs = true
  /// The number of pairs of constants that were compared.
  package private(set) var constantCount = 0
  /// All differences, in the order of the first file.
  package private(set) var differences: [ModelDifference] = []

  /// Whether the two files compute the same.
  package var isSame: Bool { hasSameGraphs && differences.isEmpty }

  /// The numbers of differences, in words.
  package var summary: String {
    let counts = ModelDifference.Aspect.allCases.compactMap { aspect -> String? in
      let count = differences.count { $0.aspect == aspect }
      guard count > 0 else { return nil }
      return aspect == .constant
        ? "\(count) of \(constantCount) constants" : "\(aspect.rawValue): \(count)"
    }
    return (hasSameGraphs ? "different " : "different graphs; different ")
      + counts.joined(separator: ", ")
  }

  private var constants: ConstantComparison

  /// Compares two files.
  ///
  /// - Throws: an error if the graphs differ and are too large to be aligned.
  package init(_ first: ModelFile, _ second: ModelFile) throws {
    constants = ConstantComparison(
      elementLimit: first.bytes.buffer.count + second.bytes.buffer.count)
    let counts = (first.subgraphs.count, second.subgraphs.count)
    hasSameGraphs = counts.0 == counts.1
    add(.graph, .init(), "\(counts.0) subgraphs", "\(counts.1) subgraphs")
    for (a, b) in zip(first.graphs, second.graphs) {
      try compare(GraphPair(a, of: first, b, of: second))
    }
    let signatures = [first, second].map { file in
      file.signatures.map { $0.text(withTensors: hasSameGraphs) }.joined(separator: "; ")
    }
    add(.graph, .init(), "signatures \(signatures[0])", "signatures \(signatures[1])")
  }

  /// Notes a difference if the texts of a property differ.
  private mutating func add(
    _ aspect: ModelDifference.Aspect, _ place: ModelDifference.Place, _ first: String,
    _ second: String
  ) {
    guard first != second else { return }
    differences.append(.init(aspect: aspect, place: place, first: first, second: second))
  }

  // MARK: Graphs

  private mutating func compare(_ graphs: GraphPair) throws {
    let place = ModelDifference.Place(subgraph: graphs.index)
    let (first, second) = (graphs.first, graphs.second)
    if graphs.areSame {
      add(.graph, place, "inputs \(first.inputs)", "inputs \(second.inputs)")
      add(.graph, place, "outputs \(first.outputs)", "outputs \(second.outputs)")
      for index in first.tensors.indices { compareTensors(index, index, of: graphs) }
      for (a, b) in zip(first.nodes, second.nodes) {
        let place = graphs.place(ofNodes: a.index, b.index)
        add(.version, place, "version \(a.version)", "version \(b.version)")
        try compareOptions(a, b, at: place)
      }
    } else {
      hasSameGraphs = false
      add(.graph, place, "\(first.inputs.count) inputs", "\(second.inputs.count) inputs")
      add(.graph, place, "\(first.outputs.count) outputs", "\(second.outputs.count) outputs")
      try compareAligned(graphs)
    }
  }

  /// Compares the nodes that belong together, and notes those without a counterpart.
  private mutating func compareAligned(_ graphs: GraphPair) throws {
    let pairs = try NodeAlignment(graphs.firstOutline, graphs.secondOutline).pairs
    // Several nodes may read the same tensors.
    var compared: Set<[Int]> = []
    for pair in pairs {
      let place = graphs.place(ofNodes: pair.first, pair.second)
      let (a, b) = (graphs.first.nodes[pair.first], graphs.second.nodes[pair.second])
      try compareOptions(a, b, at: place)
      add(.node, place, "\(a.inputs.count) operands", "\(b.inputs.count) operands")
      let operands = zip(a.inputs, b.inputs).compactMap { x, y in
        x.flatMap { x in y.map { [x, $0] } }
      }
      for tensors in operands + zip(a.outputs, b.outputs).map({ [$0, $1] })
      where compared.insert(tensors).inserted {
        compareTensors(tensors[0], tensors[1], of: graphs)
      }
    }
    let (known, others) = (Set(pairs.map(\.first)), Set(pairs.map(\.second)))
    for node in graphs.first.nodes where !known.contains(node.index) {
      add(.node, graphs.place(ofNodes: node.index, nil), node.operatorName, "")
    }
    for node in graphs.second.nodes where !others.contains(node.index) {
      add(.node, graphs.place(ofNodes: nil, node.index), "", node.operatorName)
    }
  }

  private mutating func compareOptions(
    _ a: ModelFile.Node, _ b: ModelFile.Node, at place: ModelDifference.Place
  ) throws(ModelFileError) {
    let (options, others) = (try a.namedOptions(), try b.namedOptions())
    for name in Set(options.keys).union(others.keys).sorted() {
      add(
        .options, place, "\(name) \(options[name] ?? ModelFile.Node.defaultText(of: name))",
        "\(name) \(others[name] ?? ModelFile.Node.defaultText(of: name))")
    }
    let (bytes, otherBytes) = (a.customOptionBytes, b.customOptionBytes)
    guard bytes != otherBytes else { return }
    let start = zip(bytes, otherBytes).enumerated().first { $1.0 != $1.1 }?.offset
    let position = start ?? min(bytes.count, otherBytes.count)
    add(
      .options, place, "\(bytes.count) bytes",
      "\(otherBytes.count) bytes, different from byte \(position) on")
  }

  // MARK: Tensors

  private mutating func compareTensors(_ x: Int, _ y: Int, of graphs: GraphPair) {
    let (a, b) = (graphs.first.tensors[x], graphs.second.tensors[y])
    let place = graphs.place(ofTensors: x, y)
    add(.type, place, a.type.name, b.type.name)
    add(.shape, place, a.shapeText, b.shapeText)
    let (scales, others) = QuantizationText.texts(a.quantization, b.quantization)
    add(.quantization, place, scales, others)
    add(.variable, place, a.isVariable ? "variable" : "", b.isVariable ? "variable" : "")
    if a.sparsity != b.sparsity {
      let texts = [a, b].map { $0.sparsity == nil ? "dense" : "sparse" }
      differences.append(
        .init(aspect: .sparsity, place: place, first: texts[0], second: texts[1]))
    }
    add(
      .constant, place, a.isConstant ? "constant" : "computed",
      b.isConstant ? "constant" : "computed")
    guard a.isConstant, b.isConstant else { return }
    constantCount += 1
    switch constants.outcome(a, b) {
    case .same: break
    case .different(let elements):
      differences.append(
        .init(
          aspect: .constant, place: place, first: a.sizeText, second: b.sizeText,
          elements: elements))
    }
  }
}

/// A graph of both files.
private struct GraphPair {
  struct Side {
    let inputs: [Int]
    let outputs: [Int]
    let tensors: [ModelFile.Tensor]
    let nodes: [ModelFile.Node]
    /// The node that reads a constant first, or that computes a tensor.
    let nodeOfTensor: [Int: Int]

    init(_ graph: ModelFile.Graph) {
      (inputs, outputs, tensors, nodes) = (graph.inputs, graph.outputs, graph.tensors, graph.nodes)
      var owners: [Int: Int] = [:]
      for node in nodes {
        for case let input? in node.inputs where tensors[input].isConstant {
          owners[input] = owners[input] ?? node.index
        }
        for output in node.outputs { owners[output] = node.index }
      }
      nodeOfTensor = owners
    }
  }

  let index: Int
  let first: Side
  let second: Side
  let firstOutline: ModelOutline
  let secondOutline: ModelOutline

  init(_ first: ModelFile.Graph, of a: ModelFile, _ second: ModelFile.Graph, of b: ModelFile) {
    index = first.index
    self.first = Side(first)
    self.second = Side(second)
    firstOutline = ModelOutline(of: a, subgraph: first.index)
    secondOutline = ModelOutline(of: b, subgraph: second.index)
  }

  /// Whether both have the same nodes between the same tensors, whatever their types.
  var areSame: Bool {
    first.tensors.count == second.tensors.count && firstOutline.nodes == secondOutline.nodes
  }

  func place(ofNodes a: Int?, _ b: Int?) -> ModelDifference.Place {
    let name = a.map { first.nodes[$0].operatorName } ?? b.map { second.nodes[$0].operatorName }
    return .init(subgraph: index, operatorName: name ?? "", firstNode: a, secondNode: b)
  }

  func place(ofTensors a: Int, _ b: Int) -> ModelDifference.Place {
    var place = place(ofNodes: first.nodeOfTensor[a], second.nodeOfTensor[b])
    (place.firstTensor, place.secondTensor) = (a, b)
    place.tensorName = first.tensors[a].name
    return place
  }
}

extension SignatureRecord {
  /// Returns the key and the names; the tensors' numbers mean the same only in the same graphs.
  fileprivate func text(withTensors isNumbered: Bool) -> String {
    let lists = [inputs, outputs].map { tensors in
      tensors.map { isNumbered ? "\($0.name) = \($0.tensor)" : $0.name }.joined(separator: ", ")
    }
    return "\(key)(\(lists[0])) to (\(lists[1]))"
  }
}

extension ModelFile.Node {
  /// Returns the options that differ from their defaults, as text by their names.
  fileprivate func namedOptions() throws(ModelFileError) -> [String: String] {
    var texts: [String: String] = [:]
    for option in try options() where option.value.text != Self.defaultText(of: option.name) {
      texts[option.name] = option.value.text
    }
    return texts
  }

  /// Returns the text of an option that a file leaves out: in schema.fbs only dilations are not 0.
  fileprivate static func defaultText(of name: String) -> String {
    name.hasPrefix("dilation_") && name.hasSuffix("_factor") ? "1" : "0"
  }
}

extension OptionValue {
  /// The value as text; false is written as 0, its default.
  fileprivate var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "1" : "0"
    case .integer(let value): "\(value)"
    // Numbers in options have 32 bits; all digits of a double would only obscure them.
    case .number(let value): value == 0 ? "0" : "\(Float(value))"
    case .string(let value): "'\(value)'"
    case .bytes(let bytes): "bytes \(bytes)"
    case .list(let values): "[\(values.map(\.text).joined(separator: ", "))]"
    case .map(let values):
      "{\(values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text)" }.joined(separator: ", "))}"
    }
  }
}

extension ModelFile.Tensor {
  /// The extents, with the signature where it says which of them may vary.
  fileprivate var shapeText: String {
    guard let shapeSignature, shapeSignature != shape else { return "\(shape)" }
    return "\(shape), signature \(shapeSignature)"
  }

  fileprivate var sizeText: String { "\(type.name) \(shape)" }
}

/// Two quantizations as texts that are equal if and only if the quantizations are.
private enum QuantizationText {
  static func texts(_ a: QuantizationRecord?, _ b: QuantizationRecord?) -> (String, String) {
    let (x, y) = (Key(a), Key(b))
    guard x != y else { return ("", "") }
    guard x.scales.count > 1, x.scales.count == y.scales.count, x.axis == y.axis,
      let slice = x.scales.indices.first(where: {
        x.scales[$0].bitPattern != y.scales[$0].bitPattern || x.zeroPoints[$0] != y.zeroPoints[$0]
      })
    else { return (x.text, y.text == x.text ? "\(y.text) of other tensors" : y.text) }
    return (x.text(of: slice), y.text(of: slice))
  }

  /// The part of a quantization that has an effect: not the range that the converter noted.
  private struct Key: Equatable {
    var scales: [Float] = []
    var zeroPoints: [Int] = []
    var axis = 0
    var blockwise: BlockwiseQuantizationRecord?
    var multiAxis: MultiAxisQuantizationRecord?

    init(_ record: QuantizationRecord?) {
      guard let record else { return }
      (scales, zeroPoints) = (record.scales, record.zeroPoints)
      axis = scales.count > 1 ? record.axis : 0
      (blockwise, multiAxis) = (record.blockwise, record.multiAxis)
    }

    static func == (a: Key, b: Key) -> Bool {
      // By their bits, since NaN differs from itself.
      a.scales.map(\.bitPattern) == b.scales.map(\.bitPattern) && a.zeroPoints == b.zeroPoints
        && a.axis == b.axis
        && a.blockwise == b.blockwise && a.multiAxis == b.multiAxis
    }

    var text: String {
      if let blockwise { return "scales for blocks of \(blockwise.blockSize)" }
      if multiAxis != nil { return "scales for several dimensions" }
      if scales.count > 1 { return "\(scales.count) scales along axis \(axis)" }
      return scales.isEmpty ? "none" : text(of: 0)
    }

    func text(of slice: Int) -> String {
      let numbers = "scale \(scales[slice]), zero point \(zeroPoints[slice])"
      return scales.count > 1 ? "slice \(slice) of \(scales.count): \(numbers)" : numbers
    }
  }
}
