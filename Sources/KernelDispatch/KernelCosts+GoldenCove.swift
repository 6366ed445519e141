import OcellusKernelABI

extension KernelCosts {
  /// The costs on Golden Cove, the cores of Sapphire and Emerald Rapids (and the large ones of the
  /// twelfth generation of Core), measured on 180 random layers of each kind.
  enum GoldenCove {
    static let avx512: Table = [
      "depthwise-float32": [
        "four-windows": KernelWork(loops: 29.5, loads: 0.581, results: 1.68, fetches: 0.428),
        "four-windows-two-rows": KernelWork(
          loops: 78.3, loads: 0.0328, results: 1.24, products: 0.124, fetches: 0.466),
        "four-windows-two-vectors": KernelWork(
          loops: 13.1, loads: 0.592, results: 0.478, products: 0.03, fetches: 0.443),
        "runs": KernelWork(
          loops: 96.1, loads: 0.358, results: 1.17, products: 0.00463, fetches: 1.42),
        "runs-two-rows": KernelWork(loops: 89.6, loads: 0.593, results: 0.377, fetches: 0.588),
        "window-by-window": KernelWork(
          loops: 19.8, loads: 0.771, results: 0.02, products: 0.0232, fetches: 0.831),
      ],
      "depthwise-int8": [
        "interleaved-rows": KernelWork(loops: 70.2, loads: 1.09, results: 2.15, products: 0.403),
        "window-quads": KernelWork(loops: 8.62, loads: 0.865, results: 2, products: 0.0355),
      ],
      "gemm-float32": [
        "others": KernelWork(
          loops: 0.323, loads: 0.564, results: 1.24, products: 0.114, fetches: 0.44)
      ],
      "gemm-int8": [
        // From a single layer: strategies of sums with few columns are rare.
        "im2col-split-k": KernelWork(loops: 0.281, loads: 0.374, results: 1.22, products: 0.5),
        "others": KernelWork(
          loops: 0.281, loads: 0.374, results: 1.22, products: 0.134, fetches: 0.35),
        "sign-toggled-rows": KernelWork(loops: 0.464, results: 2.72, products: 0.134),
      ],
    ]

    /// In vectors of 32 bytes, as in processors without AVX-512.
    static let avxvnni: Table = [
      "depthwise-float32": [
        "four-windows": KernelWork(
          loops: 33.7, loads: 0.318, results: 0.312, products: 0.081, fetches: 0.36),
        "four-windows-two-rows": KernelWork(
          loops: 23.2, loads: 0.0858, results: 0.189, products: 0.19, fetches: 0.295),
        "four-windows-two-vectors": KernelWork(
          loops: 21.4, loads: 0.234, results: 0.143, products: 0.149, fetches: 0.146),
        "window-by-window": KernelWork(
          loops: 21.6, loads: 0.446, results: 0.0712, products: 0.0311, fetches: 0.347),
      ],
      "depthwise-int8": [
        "direct-windows": KernelWork(loops: 9.2, loads: 0.277, results: 3.54, products: 0.00643),
        "interleaved-rows": KernelWork(loops: 46.1, loads: 0.521, results: 1.88, products: 0.258),
      ],
      "gemm-float32": [
        "others": KernelWork(loads: 0.315, results: 0.684, products: 0.0846, fetches: 0.568)
      ],
      "gemm-int8": [
        "others": KernelWork(
          loops: 0.808, loads: 0.654, results: 0.987, products: 0.0706, fetches: 0.702)
      ],
    ]

    /// Without dot products of bytes.
    static let avx2: Table = [
      "depthwise-float32": [
        "four-windows": KernelWork(
          loops: 26.6, loads: 0.357, results: 0.201, products: 0.066, fetches: 0.348),
        "four-windows-two-rows": KernelWork(
          loops: 20.3, loads: 0.0163, results: 0.0354, products: 0.23, fetches: 0.118),
        "four-windows-two-vectors": KernelWork(
          loops: 21, loads: 0.191, results: 0.296, products: 0.129, fetches: 0.22),
        "window-by-window": KernelWork(
          loops: 15.9, loads: 0.445, results: 0.0806, products: 0.0133, fetches: 0.23),
      ],
      "depthwise-int8": [
        "direct-windows": KernelWork(loops: 4.44, loads: 0.304, results: 3.5, products: 0.0116),
        "interleaved-rows": KernelWork(loops: 41.8, loads: 0.503, results: 1.86, products: 0.258),
      ],
      "gemm-float32": [
        "others": KernelWork(
          loops: 0.299, loads: 0.296, results: 0.692, products: 0.0895, fetches: 0.6)
      ],
      "gemm-int8": byteProducts,
    ]
  }
}
