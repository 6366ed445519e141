import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusModelFile
import OcellusProof

extension SingleNode {
  /// Returns the files of a case for `verify`: its description, and the bytes of its tensors.
  func caseFiles(source: String) -> (description: [UInt8], values: [UInt8]) {
    var values: [UInt8] = []
    func tensor(
      _ index: Int, _ name: String, _ type: ElementType, _ shape: Shape, _ bytes: [UInt8]
    ) -> JSONObject {
      defer { values += bytes }
      return [
        "index": .integer(index), "name": .string(name), "dtype": .string(type.name),
        "shape": .integers(shape.dimensions), "offset": .integer(values.count),
        "bytes": .integer(bytes.count),
      ]
    }
    let inputs = self.inputs.enumerated().map { index, input in
      JSONValue.object(tensor(index, "input \(index)", input.type, input.shape, input.bytes))
    }
    let outputs = results.enumerated().map { index, result -> JSONValue in
      let members = tensor(index, result.name, result.type, result.shape, result.bytes ?? [])
      return .object(members + ["tolerance": Self.tolerance(of: result)])
    }
    let description: JSONValue = [
      "op": .string(operatorName), "expect": "ok", "notes": .string("node \(title) of \(source)"),
      "oracle": .string("ocellus \(Program.version)"), "tolerance": ["kind": "exact"],
      "invocations": 1,
      "inputs": .array(inputs), "outputs": .array(outputs),
    ]
    return (Array((description.text + "\n").utf8), values)
  }

  private static func tolerance(of result: CapturedNode.Tensor) -> JSONValue {
    switch Tolerance.betweenImplementations(of: result.type, result.bytes ?? []) {
    case .close(let absolute, let relative):
      ["kind": "close", "atol": .number(absolute), "rtol": .number(relative)]
    default: ["kind": "exact"]
    }
  }
}
