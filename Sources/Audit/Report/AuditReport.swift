package import OcellusEngine
package import OcellusJSON
import OcellusModelFile
import OcellusPlatform

/// The results of an audit: the contents of its page and of its JSON.
package struct AuditReport {
  /// A statement at the top of the page.
  package struct Finding: Sendable, Equatable {
    package enum Weight: String, Sendable { case good, note, bad, fact }

    package var weight: Weight
    package var text: String

    package init(_ weight: Weight, _ text: String) {
      (self.weight, self.text) = (weight, text)
    }
  }

  /// A picture and what the model found in it.
  package struct Picture {
    package var name: String
    /// The picture with its boxes, as a JPEG file.
    package var file: [UInt8]
    /// The model's answers about the picture, one row each.
    package var answers: JSONValue

    package init(name: String, file: [UInt8], answers: JSONValue) {
      (self.name, self.file, self.answers) = (name, file, answers)
    }
  }

  package var trace: Trace
  package var receipt: Receipt
  /// A comparison of the layers with a reference, another run that the title names.
  ///
  /// The first node of each layer is the reference's, the second is the model's.
  package struct Comparison {
    package var title: String
    package var layers: [LayerComparison]
    /// Whether both run the same graph, so their bits can be equal.
    package var hasSameGraph: Bool
    /// The comparison of the files, if the reference is another model.
    package var models: ModelComparison?
  }

  package var comparison: Comparison?
  /// The times of the nodes, if they were taken; the trace's own are those of a single run.
  package var times: NodeTimes?
  package var pictures: [Picture] = []
  /// PNG files of the nodes' first results, by index of the node in the main subgraph.
  package var featureMaps: [Int: [UInt8]] = [:]
  package let model: Model

  package init(_ model: Model, trace: Trace, receipt: Receipt) {
    self.model = model
    self.trace = trace
    self.receipt = receipt
  }

  private var nodes: [NodeTrace] { trace.nodes.filter { $0.subgraph == 0 } }

  // MARK: The verdict

  /// The share of saturated elements above which a result is reported.
  private static let muchSaturation = 0.05

  package var findings: [Finding] {
    let results = nodes.flatMap { node in node.outputs.map { (node, $0) } }
    return [
      oddNumbers(results), saturation(results), sameness(results), fileFinding, comparisonFinding,
    ].compactMap { $0 } + [Finding(.fact, "receipt \(receipt.root.prefix(16))…")]
  }

  private func oddNumbers(_ results: [(NodeTrace, TensorTrace)]) -> Finding {
    let odd = results.first { _, tensor in
      (tensor.statistics?.nanCount ?? 0) + (tensor.statistics?.infinityCount ?? 0) > 0
    }
    guard let (node, tensor) = odd else { return Finding(.good, "every number is finite") }
    return Finding(
      .bad,
      "numbers stop being finite at node \(node.index) (\(node.operatorName)): "
        + "\(tensor.statistics?.nanCount ?? 0) NaN, \(tensor.statistics?.infinityCount ?? 0) infinite"
    )
  }

  private func saturation(_ results: [(NodeTrace, TensorTrace)]) -> Finding? {
    guard results.contains(where: { $0.1.quantization != nil }) else { return nil }
    let saturated = results.filter { ($0.1.statistics?.saturatedShare ?? 0) > Self.muchSaturation }
    let worst = saturated.max {
      ($0.1.statistics?.saturatedShare ?? 0) < ($1.1.statistics?.saturatedShare ?? 0)
    }
    guard let (node, tensor) = worst else {
      return Finding(.good, "no result has more than 5 % saturated elements")
    }
    let percent = Int((100 * (tensor.statistics?.saturatedShare ?? 0)).rounded())
    return Finding(
      .note,
      "more than 5 % of the elements are saturated in \(saturated.count) of \(results.count) results, "
        + "most at node \(node.index) (\(node.operatorName)): \(percent) %")
  }

  private func sameness(_ results: [(NodeTrace, TensorTrace)]) -> Finding? {
    let same = results.filter { node, tensor in
      guard let statistics = tensor.statistics, node.execution != .folded else { return false }
      return statistics.elementCount > 1 && statistics.minimum == statistics.maximum
        && statistics.nanCount == 0
    }
    guard let (node, _) = same.first else { return nil }
    return Finding(
      .note,
      "\(same.count) of \(results.count) results contain one repeated value only, the first at "
        + "node \(node.index) (\(node.operatorName))")
  }

  /// Notes that the reference is another model, whose results may be the same on these inputs.
  private var fileFinding: Finding? {
    guard let comparison, let models = comparison.models, comparison.hasSameGraph, !models.isSame
    else { return nil }
    return Finding(.note, "\(comparison.title) is another model: \(models.summary)")
  }

  private var comparisonFinding: Finding? {
    guard let comparison else { return nil }
    let (title, layers) = (comparison.title, comparison.layers)
    if !comparison.hasSameGraph { return twinFinding(title, layers) }
    guard let first = layers.first(where: { $0.difference?.isNone == false }) else {
      return Finding(.good, "all \(layers.count) nodes have the same bits as \(title)")
    }
    let noise = layers.compactMap { $0.difference?.signalToNoise }.filter(\.isFinite).min()
    return Finding(
      .note,
      "different from \(title) from node \(first.name(of: first.secondNode)) (\(first.operatorName)) on; "
        + "\(layers.count { $0.difference?.isNone == true }) of \(layers.count) nodes have the same bits"
        + (noise.map {
          ", and in the others the difference is at least \(Self.decibels($0)) below the results of \(title)"
        } ?? ""))
  }

  /// The signal-to-noise ratio in decibels below which a layer's own noise is reported as bad.
  private static let littleSignal = 20.0

  /// Finds the layer that adds most noise, since the bits of two different models always differ.
  private func twinFinding(_ title: String, _ layers: [LayerComparison]) -> Finding? {
    let worst = layers.min {
      ($0.bornDifference?.signalToNoise ?? .infinity)
        < ($1.bornDifference?.signalToNoise ?? .infinity)
    }
    guard let worst, let noise = worst.bornDifference?.signalToNoise else { return nil }
    return Finding(
      noise < Self.littleSignal ? .bad : .good,
      "compared with \(title), node \(worst.secondNode) (\(worst.operatorName)) adds most noise of its "
        + "own: \(Self.decibels(noise)) below the results of \(title)")
  }

  private static func decibels(_ number: Double) -> String { "\((10 * number).rounded() / 10) dB" }

  // MARK: The contents

  package func json() throws -> JSONValue {
    let layers = Dictionary(
      (comparison?.layers ?? []).filter { $0.subgraph == 0 }.map { ($0.secondNode, $0) },
      uniquingKeysWith: { $1 })
    return [
      "schema": "ocellus-audit", "schema_version": 2, "model": .string(trace.setting.model),
      "model_sha256": .string(trace.setting.modelDigest),
      "model_bytes": .integer(model.fileByteCount), "description": .string(model.description),
      "instruction_set": .string(trace.setting.instructionSet),
      "threads": .integer(trace.setting.threads), "exact": .bool(trace.setting.isExact),
      "numerics": .string(trace.setting.numerics),
      "multiply_adds": .integer(trace.multiplyAdds), "node_runs": .integer(trace.nodes.count),
      "timing": times?.json ?? .null,
      "memory_bytes": .integer(trace.memoryByteCount),
      "findings": .array(
        findings.map { ["weight": .string($0.weight.rawValue), "text": .string($0.text)] }),
      "compared_with": .string(orNull: comparison?.title),
      "inputs": .integers(model.file.subgraphs[0].inputs),
      "tensors": .array(
        trace.sources.filter { $0.subgraph == 0 }.map { $0.tensor.reportJSON }),
      "nodes": .array(try nodes.map { try json(of: $0, layers[$0.index]) }),
      "pictures": .array(
        pictures.map { picture in
          [
            "name": .string(picture.name),
            "file": .string("data:image/jpeg;base64," + Base64.text(of: picture.file)),
            "answers": picture.answers,
          ]
        }),
      "receipt": [
        "root": .string(receipt.root), "numerics": .string(receipt.setting.numerics),
        "inputs": .array(receipt.inputs.map { .string($0.hash) }),
      ],
    ]
  }

  private func json(of node: NodeTrace, _ layer: LayerComparison?) throws -> JSONValue {
    let record = model.file.subgraphs[0].operators[node.index]
    return [
      "node": .integer(node.index), "operator": .string(node.operatorName),
      "version": .integer(node.version), "runs_as": .string(node.execution.description),
      "multiply_adds": .integer(node.multiplyAdds),
      "microseconds": times?.microseconds(of: node.index).map { .number($0) } ?? .null,
      "options": .object(try record.namedOptions()), "inputs": .integers(node.inputs),
      "outputs": .array(node.outputs.map(\.reportJSON)),
      "sqnr_db": layer?.difference.map { .number($0.signalToNoise) } ?? .null,
      "different": layer?.difference.map { .integer($0.differentCount) } ?? .null,
      "largest": layer?.difference.map { .number($0.maximum) } ?? .null,
      "origin": .string(orNull: layer?.origin.rawValue),
      "map": .string(
        orNull: featureMaps[node.index].map { "data:image/png;base64," + Base64.text(of: $0) }),
    ]
  }
}

extension TensorTrace {
  /// The tensor as JSON for the page.
  fileprivate var reportJSON: JSONValue {
    [
      "tensor": .integer(index), "name": .string(name), "type": .string(type.name),
      "shape": .integers(shape.dimensions),
      "scale": quantization.flatMap(\.scales.first).map { .number(Double($0)) } ?? .null,
      "zero_point": quantization.map { .integer($0.zeroPoint) } ?? .null,
      "scales": .integer(quantization?.scales.count ?? 0),
      "statistics": statistics?.json ?? .null,
    ]
  }
}

extension OperatorRecord {
  /// Returns the explicitly stored options by their names in the schema; the others have defaults.
  package func namedOptions() throws -> JSONObject {
    var object = JSONObject()
    let tables = [
      (options, OptionsSchema.builtinOptions(tag: options.tag)),
      (options2, OptionsSchema.builtinOptions2(tag: options2.tag)),
    ]
    for case (let options, let schema?) in tables {
      guard let table = options.table else { continue }
      let values = try schema.values(of: table)
      for (index, field) in schema.fields.enumerated() {
        if let value = values[index] { object.append(field.name, .string(value.text)) }
      }
    }
    return object
  }
}

extension FlatValue {
  /// The value as text.
  fileprivate var text: String {
    switch self {
    case .bool(let value): "\(value)"
    case .int8(let value): "\(value)"
    case .uint8(let value): "\(value)"
    case .int32(let value): "\(value)"
    case .uint32(let value): "\(value)"
    case .int64(let value): "\(value)"
    case .uint64(let value): "\(value)"
    case .float(let value): "\(value)"
    case .string(let value): value
    case .bytes(let bytes, _): "\(bytes.count) bytes"
    case .bools(let values): "\(values.prefix(16))"
    case .uint16s(let values): "\(values.prefix(16))"
    case .int32s(let values): "\(values.prefix(16))"
    case .uint32s(let values): "\(values.prefix(16))"
    case .int64s(let values): "\(values.prefix(16))"
    case .floats(let values): "\(values.prefix(16))"
    case .strings(let values): "\(values.prefix(16))"
    case .table(let fields): "\(fields.count) fields"
    case .tables(let tables): "\(tables.count) tables"
    }
  }
}
