import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusModelFile

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

extension Tolerance {
  /// Returns the tolerance between two right implementations of an operator.
  ///
  /// Integers must be equal. Floats may differ by the order of additions, relative to the largest
  /// of `numbers`, and by one rounding.
  static func betweenImplementations(of type: ElementType, _ numbers: [UInt8]) -> Tolerance {
    let precision: [ElementType: Double] = [
      .float32: 1e-5, .float64: 1e-10, .float16: 2e-3, .bfloat16: 2e-2, .complex64: 1e-5,
      .complex128: 1e-10,
    ]
    guard let precision = precision[type] else { return .exact }
    let parts: [ElementType: NumberFormat] = [.complex64: .float32, .complex128: .float64]
    guard let format = parts[type] ?? NumberFormat(rawValue: type.name) else { return .exact }
    let largest = numbers.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: format.size).reduce(0.0) { largest, offset in
        let magnitude = abs(format.number(in: bytes, at: offset))
        return magnitude.isFinite ? max(largest, magnitude) : largest
      }
    }
    return .close(absolute: precision * largest, relative: 10 * precision)
  }
}
