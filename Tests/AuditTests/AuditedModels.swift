import Foundation
import OcellusEngine
import OcellusTestSupport

/// The models of the package, and a selection of others if they are present.
enum AuditedModels {
  /// Quantized, float, hybrid and recurrent models, with fused groups, other execution orders and
  /// data-dependent shapes.
  static let all =
    PackageFiles.models
    + SharedFiles.models([
      "ad01_hybrid", "coco_ssd_mobilenet_v1_1.0_quant_2018_06_29", "deeplabv3",
      "ds_cnn_s_int16x8", "face_detection_back", "face_detection_full_range_sparse",
      "keras_lstm_mnist_ptq", "mobilenet_v1_0.25_224_quant", "movenet_single_pose_lightning_ptq",
      "spokestack_encode", "style_bedroom", "torchaudio_conformer", "traffic_model",
      "unet_person_hybrid", "vww_96_float", "vww_96_int8", "yolox_nano_float32_nchw",
      "yolox_nano_with_post_float16", "ops/multi_subgraphs_while",
    ])

  /// Returns one way to run a model with an instruction set, by turns, so that every way comes up;
  /// with `OCELLUS_FULL_TESTS=1` all of them.
  static func sample<Way>(of ways: [Way], model path: String, instructionSet: Int) -> [Way] {
    let isFull = ProcessInfo.processInfo.environment["OCELLUS_FULL_TESTS"] != nil
    guard !isFull, let position = all.firstIndex(of: path) else { return ways }
    return [ways[(position + instructionSet) % ways.count]]
  }
}

extension Interpreter {
  /// Fills all inputs with the same random numbers in each call: floats from 0 to 1, small integers
  /// otherwise.
  func fillInputs() throws {
    try allocate()
    for (position, input) in inputs.enumerated() {
      var generator = SeededGenerator(seed: UInt64(position))
      try main.withInputBytes(at: position) { bytes in
        switch input.type {
        case .float32:
          for float in bytes.bindMemory(to: Float.self).indices {
            bytes.storeBytes(
              of: Float.random(in: 0...1, using: &generator), toByteOffset: 4 * float,
              as: Float.self)
          }
        case .int8, .uint8, .int16:
          for byte in bytes.indices { bytes[byte] = .random(in: 0...255, using: &generator) }
        default:
          for byte in bytes.indices { bytes[byte] = 0 }
        }
      }
    }
  }

  /// Returns the bytes of all outputs.
  func outputBytes() throws -> [[UInt8]] {
    try outputs.indices.map { try main.withOutputBytes(at: $0) { Array($0) } }
  }
}
