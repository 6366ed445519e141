package import OcellusEngine
package import OcellusJSON
import OcellusPlatform

/// The trace as JSON; the names of the members are stable.
extension Trace {
  /// The kind of the JSON object and the version of its schema.
  static let schema = "ocellus-trace"
  static let schemaVersion = 3

  package var json: JSONValue {
    [
      "schema": .string(Self.schema), "schema_version": .integer(Self.schemaVersion),
      "model": .string(setting.model), "model_sha256": .string(setting.modelDigest),
      "way": setting.isMaterialized ? "materialised" : "as-run",
      "level": .string(setting.level.rawValue),
      "instruction_set": .string(setting.instructionSet), "threads": .integer(setting.threads),
      "exact": .bool(setting.isExact), "numerics": .string(setting.numerics),
      "multiply_adds": .integer(multiplyAdds),
      "memory_bytes": .integer(memoryByteCount),
      "sources": .array(
        sources.map { source in
          var object = JSONObject()
          object.append("subgraph", .integer(source.subgraph))
          source.tensor.add(to: &object)
          return .object(object)
        }), "nodes": .array(nodes.map(\.json)),
    ]
  }
}

extension NodeTrace {
  package var json: JSONValue {
    [
      "subgraph": .integer(subgraph), "node": .integer(index), "call": .integer(call),
      "operator": .string(operatorName), "version": .integer(version),
      "runs_as": .string(execution.description), "multiply_adds": .integer(multiplyAdds),
      "microseconds": .number(Double(nanoseconds) / 1000), "inputs": .integers(inputs),
      "outputs": .array(
        outputs.map { tensor in
          var object = JSONObject()
          tensor.add(to: &object)
          return .object(object)
        }),
    ]
  }
}

extension TensorTrace {
  fileprivate func add(to object: inout JSONObject) {
    object.append("tensor", .integer(index))
    object.append("name", .string(name))
    object.append("type", .string(type.name))
    object.append("shape", .integers(shape.dimensions))
    object.append("quantization", quantization?.json ?? .null)
    object.append("in_memory", .bool(isInMemory))
    if let statistics { object.append("statistics", statistics.json) }
    if let digest { object.append("digest", .string(digest.hexadecimal)) }
    if let file { object.append("file", .string(file)) }
  }
}

extension TensorStatistics {
  package var json: JSONValue {
    func number(_ number: Double?) -> JSONValue { number.map { .number($0) } ?? .null }
    return [
      "elements": .integer(elementCount), "minimum": number(minimum), "maximum": number(maximum),
      "mean": number(mean), "nan": .integer(nanCount), "infinite": .integer(infinityCount),
      "saturated": .integer(saturatedCount), "saturated_share": .number(saturatedShare),
      "histogram": histogram.map {
        ["counts": .integers($0.counts), "sample": .integer($0.sampleCount)]
      } ?? .null,
    ]
  }
}

extension Quantization {
  package var json: JSONValue {
    [
      "scales": .array(scales.map { .number(Double("\($0)") ?? Double($0)) }),
      "zero_points": .integers(zeroPoints), "axis": .integer(axis),
    ]
  }

  /// Reads the quantization from the object that `json` made.
  package init?(_ json: JSONValue?) {
    guard let object = json?.object, let scales = object["scales"]?.array,
      let zeroPoints = object["zero_points"]?.array, let axis = object["axis"]?.integer
    else { return nil }
    self.init(
      scales: scales.compactMap { $0.number.map { Float($0) } },
      zeroPoints: zeroPoints.compactMap(\.integer), axis: axis)
  }
}
