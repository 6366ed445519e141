import OcellusJSON
import OcellusModelFile

extension TensorRecord {
  /// The shape in the file, with -1 for dimensions that the caller may choose.
  var shapeText: String { "\(shapeSignature ?? shape)" }

  /// The quantization parameters.
  var quantizationText: String {
    guard let quantization else { return "" }
    if let blockwise = quantization.blockwise { return "blocks of \(blockwise.blockSize)" }
    guard let scale = quantization.scales.first else { return "" }
    guard quantization.scales.count > 1 else {
      return "scale \(scale), zero point \(quantization.zeroPoints.first ?? 0)"
    }
    let minimum = quantization.scales.min() ?? scale
    let maximum = quantization.scales.max() ?? scale
    return
      "\(quantization.scales.count) scales on axis \(quantization.axis), \(minimum) to \(maximum)"
  }

  /// The role of the tensor: variable, constant, or computed, which is empty.
  var roleText: String {
    if isVariable { return "variable" }
    guard let data else { return "" }
    return sparsity == nil ? "constant" : "sparse constant of \(data.count.byteText)"
  }

  /// The tensor as JSON; the names of the members are stable.
  var json: JSONObject {
    var object = JSONObject()
    object.append("name", .string(name))
    object.append("type", .string(type.name))
    object.append("shape", .integers(shape))
    object.append("shape_signature", shapeSignature.map { .integers($0) } ?? .null)
    object.append("quantization", quantizationJSON)
    return object
  }

  private var quantizationJSON: JSONValue {
    guard let quantization, !quantization.scales.isEmpty || quantization.blockwise != nil else {
      return .null
    }
    return [
      "scales": .array(quantization.scales.map { .number(Double("\($0)") ?? Double($0)) }),
      "zero_points": .integers(quantization.zeroPoints), "axis": .integer(quantization.axis),
      "block_size": quantization.blockwise.map { .integer($0.blockSize) } ?? .null,
    ]
  }
}
