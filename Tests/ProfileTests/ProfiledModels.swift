import OcellusEngine
import OcellusModelFile
import OcellusTestSupport

/// The models of the package, and a selection of others if they are present.
enum ProfiledModels {
  /// Quantized, float and hybrid models, with fused groups and other execution orders.
  static let all =
    PackageFiles.models
    + SharedFiles.models([
      "ad01_hybrid", "coco_ssd_mobilenet_v1_1.0_quant_2018_06_29", "deeplabv3",
      "mobilenet_v1_0.25_224_quant", "style_bedroom", "unet_person_hybrid",
      "yolox_nano_float32_nchw",
    ])

  /// Returns a model that multiplies a float matrix by a constant one.
  static func product(rows: Int, depth: Int, columns: Int) -> [UInt8] {
    let weights = [Float](repeating: 0.25, count: columns * depth)
    return ModelWriter.singleOperator(
      OperatorCodeRecord(named: "FULLY_CONNECTED"),
      reading: [
        .init("x", .float32, [rows, depth]),
        .init("weights", .float32, [columns, depth], constant: [UInt8](bytesOf: weights)),
      ], writing: [.init("y", .float32, [rows, columns])],
      options: .init(tag: BuiltinOptionsTag.fullyConnected)
    ).bytes()
  }
}

extension Interpreter {
  /// Fills all inputs with the same bytes in each call.
  func fillInputs() throws {
    try allocate()
    for (position, input) in inputs.enumerated() {
      try main.withInputBytes(at: position) { bytes in
        switch input.type {
        case .float32:
          bytes.bindMemory(to: Float.self).update(repeating: 0.5)
        default:
          for byte in bytes.indices { bytes[byte] = input.type == .int32 ? 0 : UInt8(byte % 251) }
        }
      }
    }
  }

  /// Returns the bytes of all outputs.
  func outputBytes() throws -> [[UInt8]] {
    try outputs.indices.map { try main.withOutputBytes(at: $0) { Array($0) } }
  }
}
