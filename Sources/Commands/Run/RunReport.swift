import OcellusArrays
import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusModelFile
import OcellusPlatform

/// The results of a run, as a table and as JSON.
struct RunReport {
  /// An output and the file that it was written to.
  struct Output {
    let description: TensorDescription
    let array: NPYArray
    let file: String?

    /// Returns the output as JSON, with all values if there are at most `limit`.
    func json(valuesUpTo limit: Int) -> JSONObject {
      var object = description.json(file: file)
      if let range = array.range {
        object.append("minimum", .number(range.minimum))
        object.append("maximum", .number(range.maximum))
        object.append("mean", .number(range.mean))
      }
      if array.count <= limit {
        object.append("values", .array((0..<array.count).map { array.value(at: $0) }))
      }
      return object
    }
  }

  /// The largest number of elements whose values JSON contains in full.
  private static let maximumListedElements = 64

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
      text += "\(output.description.signatureName.printableInLine): \(output.array.digest)\n"
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
          .object(input.json(file: inputFiles[index]))
        }),
      "outputs": .array(
        outputs.map { .object($0.json(valuesUpTo: Self.maximumListedElements)) }),
    ])
    return .object(object)
  }
}

extension TensorDescription {
  /// Returns the tensor as JSON; `file` is its source or destination.
  fileprivate func json(file: String?) -> JSONObject {
    [
      "name": .string(signatureName), "type": .string(type.name),
      "shape": .integers(shape.dimensions), "file": .string(orNull: file),
    ]
  }
}
