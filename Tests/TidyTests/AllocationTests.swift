import Foundation
import Testing

/// Runs after the first one allocate no memory on the heap.
///
/// The test counts in a child process, because tests share one process and run in parallel. It
/// needs a release build: debug builds put values on the heap that the optimizer keeps on the
/// stack.
@Suite struct AllocationTests {
  private static let counter = Repository.build.appending(path: "allocation-count")

  /// The models of the package and, if present, a selection of the zoo: quantized, float, hybrid
  /// and recurrent models, detection with its post-processing, loops and calls.
  ///
  /// Two kinds of models are left out: models with data-dependent shapes (`spokestack_encode`,
  /// `yolox_nano_with_post_float16`), whose shapes are inferred in every run; and operands or
  /// options that only reference kernels support, which may allocate scratch.
  private static let models: [URL] = {
    let embedded = ["scenes-detector", "scenes-detector-float", "scenes-labeler"].map {
      Repository.root.appending(path: "Models/\($0).tflite")
    }
    let zoo = [
      "ad01_hybrid", "coco_ssd_mobilenet_v1_1.0_quant_2018_06_29", "deeplabv3",
      "ds_cnn_s_int16x8", "face_detection_full_range_sparse", "frontend_sl_v1",
      "keras_lstm_mnist_ptq", "keyword_scrambled_svdf", "kws_ref_model_int8",
      "mobilenet_v1_0.25_224_1_default_1", "movenet_single_pose_lightning_ptq",
      "mtcnn_rnet_batch64", "pretrainedResnet", "qwen_fc_blockwise_quantized",
      "recommendation_rnn_i10o100", "style_transfer_quantized_dynamic", "torchaudio_conformer",
      "traffic_model", "trained_lstm_mnist_float", "unet_person_hybrid", "yolo_lc_192",
      "ops/l2_norm_composite", "ops/multi_subgraphs_while",
    ].map { Repository.root.appending(path: "../shared/zoo/models/\($0).tflite") }
    return (embedded + zoo).filter { FileManager.default.fileExists(atPath: $0.path) }
  }()

  #if DEBUG
    private static let isOptimized = false
  #else
    private static let isOptimized = true
  #endif

  @Test(.enabled(if: isOptimized, "a debug build"), arguments: [1, 2])
  func runsTakeNoMemory(threads: Int) throws {
    try #require(
      FileManager.default.fileExists(atPath: Self.counter.path), "build allocation-count first")
    let lines = try Repository.output(
      of: Self.counter.path, ["\(threads)"] + Self.models.map(\.path)
    ).split(separator: "\n")
    #expect(lines.count == Self.models.count)
    for line in lines { #expect(line.hasPrefix("0 "), "requests: \(line)") }
  }
}
