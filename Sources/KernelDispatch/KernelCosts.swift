import OcellusKernelABI
import OcellusPlatform

/// The measured costs of the strategies on some processors, in nanoseconds.
///
/// `Benchmarks/fit_costs.py` fits them to the times that `ocellus kernel bench --json` measures on
/// random layers. A processor without measurements gets those of its maker and instruction set,
/// because only the ratio of two strategies matters. Strategies without costs get
/// `KernelWork.unmeasured`.
enum KernelCosts {
  /// The costs of strategies, by family and strategy.
  typealias Table = [String: [String: KernelWork]]

  /// Returns the costs of an instruction set on a processor.
  static func table(for instructionSet: String, _ features: CPUFeatures) -> Table {
    // Only AMD's processors have it.
    let isOfAMD = features.contains(.sse4a)
    return switch instructionSet {
    case "amx": amx
    case "avx512": isOfAMD ? avx512 : GoldenCove.avx512
    case "avxvnni": GoldenCove.avxvnni
    case "avx2": isOfAMD ? avx2 : GoldenCove.avx2
    case "baseline": baseline
    default: arm
    }
  }

  /// The costs of quantized GEMM on Zen 3, also for processors without measurements.
  ///
  /// All strategies share them, because their amounts of work tell them apart well enough.
  static let byteProducts = [
    "others": KernelWork(
      loops: 1.24, loads: 0.301, results: 1.69, products: 0.149, fetches: 0.361)
  ]

  private static let arm: Table = ["gemm-int8": byteProducts]

  /// Zen 3.
  private static let avx2: Table = [
    "gemm-int8": byteProducts,
    "depthwise-float32": [
      "four-windows": KernelWork(loops: 18.2, loads: 0.933, results: 0.447, fetches: 0.895),
      "four-windows-two-rows": KernelWork(
        loops: 23.8, loads: 0.275, results: 1.05, products: 0.314, fetches: 0.47),
      "four-windows-two-vectors": KernelWork(
        loops: 16.7, loads: 0.587, results: 0.798, products: 0.0842, fetches: 0.979),
      "runs": KernelWork(loops: 47.6, loads: 0.681, products: 0.00652),
      "runs-two-rows": KernelWork(loops: 96.5, products: 0.534),
      "window-by-window": KernelWork(loops: 12.2, loads: 0.807, fetches: 0.934),
    ],
    "depthwise-int8": [
      "direct-windows": KernelWork(loops: 11.7, loads: 0.75, results: 3.73),
      "interleaved-rows": KernelWork(loops: 95.8, loads: 0.619, results: 3.18, products: 0.329),
      "single-window": KernelWork(loops: 20, loads: 0.5, results: 3, products: 0.33),
    ],
  ]

  /// Costs that reproduce the rules once measured on Zen 4 and Zen 5; they remain to be measured.
  private static let avx512: Table = [
    "gemm-int8": byteProducts,
    "depthwise-float32": [
      "four-windows": KernelWork(
        loops: 21.3, loads: 0.636, results: 0.253, products: 0.00718, fetches: 0.878),
      "four-windows-two-rows": KernelWork(
        loops: 15.8, loads: 0.223, results: 0.537, products: 0.0905, fetches: 0.06),
      "four-windows-two-vectors": KernelWork(
        loops: 21.3, loads: 0.7, results: 0.3, products: 0.00718, fetches: 0.9),
      "runs": KernelWork(loops: 18.6, loads: 0.312, products: 0.00238),
      "runs-two-rows": KernelWork(loops: 29.9, products: 0.0719),
      "window-by-window": KernelWork(
        loops: 24, loads: 0.988, results: 0.0152, products: 0.00664, fetches: 0.182),
    ],
    "depthwise-int8": [
      "interleaved-rows": KernelWork(loops: 13.6, loads: 0.536, results: 1.62, products: 0.389),
      "single-window": KernelWork(loops: 10, loads: 0.3, results: 1.5, products: 0.35),
      "window-quads": KernelWork(loops: 9.01, loads: 0.384, results: 0.617, products: 0.353),
    ],
  ]

  /// Sapphire Rapids and later: a tile takes the time of some 40 products of vectors, instead of the
  /// 256 that it replaces; these costs remain to be measured.
  private static let amx: Table = {
    let tiles = KernelWork(loops: 20, loads: 0.301, results: 2.5, products: 6.4)
    let strategies = ["tiles-in-place": tiles, "tiles-implicit-gemm": tiles, "tiles-im2col": tiles]
    return GoldenCove.avx512.merging(["gemm-int8": strategies, "gemm-bfloat16": strategies]) {
      $0.merging($1) { $1 }
    }
  }()

  /// SSE4.2 on Zen 3.
  private static let baseline: Table = [
    "gemm-int8": [
      "others": KernelWork(
        loops: 2.72, loads: 0.247, results: 2.97, products: 0.168, fetches: 0.403)
    ],
    "depthwise-float32": [
      "four-windows": KernelWork(
        loops: 13.4, loads: 0.653, results: 0.774, products: 0.0789, fetches: 0.893),
      "four-windows-two-rows": KernelWork(
        loops: 15.1, loads: 1.03, products: 0.165, fetches: 0.379),
      "four-windows-two-vectors": KernelWork(
        loops: 12.6, loads: 0.464, results: 1.06, products: 0.123, fetches: 0.874),
      "window-by-window": KernelWork(loops: 12.1, loads: 0.718, fetches: 0.801),
    ],
    "depthwise-int8": [
      "interleaved-rows": KernelWork(loops: 89.1, loads: 1.28, results: 5.1, products: 0.259),
      "single-window": KernelWork(loops: 20, loads: 0.5, results: 5, products: 0.3),
    ],
  ]
}
