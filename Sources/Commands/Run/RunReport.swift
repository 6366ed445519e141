import OcellusEngine
import OcellusImaging
import OcellusJSON
import OcellusModelFile

/// What a run gave, as a table and as JSON.
struct RunReport {
  /// An output, and where it was written.
  struct Output {
    let description: TensorDescription
    let array: NPYArray
    let file: String?
  }

  /// Outputs of no more elements are shown whole.
  private static let fewElements = 64

  let modelPath: String
  let modelBytes: ModelBytes
  let signature: String?
  let milliseconds: Double
  let inputs: [TensorDescription]
  let inputFiles: [Int: String]
  var outputs: [Output] = []

  var text: String {
    var table = TextTable([.left(""), .left("name"), .left("type"), .left("shape"), .left("")])
    for (index, input) in inputs.enumerated() {
      table.add(row("input", input) + ["from \(inputFiles[index] ?? "the deterministic stream")"])
    }
    for output in outputs {
      table.add(row("output", output.description) + [output.file ?? output.array.digest])
    }
    var text = table.text()
    for output in outputs where output.file != nil {
      text += "\(output.description.signatureName): \(output.array.digest)\n"
    }
    return text + "ran in \(milliseconds.fixed(2)) ms\n"
  }

  private func row(_ role: String, _ tensor: TensorDescription) -> [String] {
    [role, tensor.signatureName, tensor.type.name, "\(tensor.shape)"]
  }

  var json: JSONValue {
    var object = JSONObject(model: modelPath, modelBytes)
    object.append([
      "signature": .string(orNull: signature),
      "milliseconds": .number(milliseconds),
      "inputs": .array(
        inputs.enumerated().map { index, input in
          .object(members(of: input, file: inputFiles[index]))
        }),
      "outputs": .array(outputs.map(json)),
    ])
    return .object(object)
  }

  private func json(of output: Output) -> JSONValue {
    var object = members(of: output.description, file: output.file)
    if let range = output.array.range {
      object.append("minimum", .number(range.minimum))
      object.append("maximum", .number(range.maximum))
      object.append("mean", .number(range.mean))
    }
    if output.array.count <= Self.fewElements {
      object.append("values", .array((0..<output.array.count).map { output.array.value(at: $0) }))
    }
    return .object(object)
  }

  private func members(of tensor: TensorDescription, file: String?) -> JSONObject {
    var object = JSONObject()
    object.append("name", .string(tensor.signatureName))
    object.append("type", .string(tensor.type.name))
    object.append("shape", .integers(tensor.shape.dimensions))
    object.append("file", .string(orNull: file))
    return object
  }
}
