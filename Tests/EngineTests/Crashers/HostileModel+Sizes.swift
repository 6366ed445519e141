import OcellusModelFile
import OcellusTestSupport

/// Sizes that overflow or exhaust memory, and tensors whose sizes do not match.
extension HostileModel {
  static let sizes: [HostileModel] = [
    .init(
      "joined extents beyond 32 bits", "CVE-2021-29601",
      model(
        "CONCATENATION", [input([1 << 30, 1]), input([1 << 30, 1]), input([1 << 30, 1])],
        [output()], options: .init(tag: BuiltinOptionsTag.concatenation))),
    .init(
      "shape whose product overflows", "CVE-2021-29605, CVE-2022-23558, CVE-2022-23559",
      model(
        "RESHAPE", [input([2]), integers([.max, .max, .max, 2])], [output()])),
    .init(
      "fill of the whole address space", "CVE-2020-15213",
      model("FILL", [integers([.max, .max]), floats([])], [output()])),
    .init(
      "negative extents", "LiteRT 2026",
      model("FILL", [integers([-4, -4]), floats([])], [output()])),
    .init(
      "negative multiples", "LiteRT d3487e1d7",
      model("TILE", [input([2, 2]), integers([-1, 1])], [output()])),
    .init(
      "multiples whose product overflows", "LiteRT 2026",
      model("TILE", [input([1024, 1024]), integers([.max, .max])], [output()])),
    .init(
      "padding of the largest integers", "LiteRT 2026",
      model(
        "PAD", [input([2, 2]), integers([.max, .max, .max, .max], shape: [2, 2])], [output()])),
    .init(
      "negative padding", "LiteRT 2026",
      model("PAD", [input([2, 2]), integers([-3, 0, 0, 0], shape: [2, 2])], [output()])),
    .init(
      "slice beyond the end", "LiteRT 2026",
      model("SLICE", [input([4]), integers([2]), integers([.max])], [output()])),
    .init(
      "range without end", "CVE-2020-15213",
      model(
        "RANGE", [integers([0], shape: []), integers([.max], shape: []), integers([0], shape: [])],
        [output([1], .int32)])),
    .init(
      "strided slice with steps of zero", "CVE-2021-37686, LiteRT b0f6c1208",
      model(
        "STRIDED_SLICE", [input([4]), integers([0]), integers([4]), integers([0])], [output()],
        options: .init(tag: BuiltinOptionsTag.stridedSlice))),
    .init(
      "strided slice with all masks", "CVE-2021-37686", mustFail: false,
      model(
        "STRIDED_SLICE",
        [input([4, 4]), integers([0, 0]), integers([4, 4]), integers([.max, .min])], [output()],
        options: .init(
          tag: BuiltinOptionsTag.stridedSlice,
          [0: .int32(-1), 1: .int32(-1), 2: .int32(-1), 3: .int32(-1), 4: .int32(-1)]))),
    .init(
      "operands of different extents", "CVE-2020-15208",
      model(
        "ADD", [input([3]), input([5])], [output([5])],
        options: .init(tag: BuiltinOptionsTag.add))),
    .init(
      "rank beyond what loops are written for", "LiteRT 7cf93f2c4", mustFail: false,
      model(
        "SELECT_V2",
        [
          input([Int](repeating: 1, count: 12), .bool), input([Int](repeating: 1, count: 12)),
          input([Int](repeating: 2, count: 12)),
        ], [output()])),
    .init(
      "recurrent state of another size", "CVE-2021-37681, LiteRT 932787ad3",
      model(
        "SVDF",
        [
          input([1, 4]), floats([4, 4]), floats([4, 2]), floats([4]),
          Tensor("state", .float32, [1, 1], isVariable: true),
        ], [output()], options: .init(tag: BuiltinOptionsTag.svdf, [0: .int32(1)]))),
    .init(
      "resize to nothing", "LiteRT 2026",
      model(
        "RESIZE_BILINEAR", [input([1, 4, 4, 1]), integers([0, -1])], [output()],
        options: .init(tag: BuiltinOptionsTag.resizeBilinear))),
    .init(
      "tables for a line of two thousand million pixels", "found by fuzzing",
      model(
        "RESIZE_NEAREST_NEIGHBOR", [input([1, 4, 4, 1]), integers([1, .max])], [output()],
        options: .init(tag: BuiltinOptionsTag.resizeNearestNeighbor))),
    .init(
      "more of the largest than there are", "LiteRT 2026",
      model("TOPK_V2", [input([4]), integers([.max], shape: [])], [output(), output([1], .int32)])),
    .init(
      "boxes without end", "LiteRT 9b4e25db7",
      model(
        "NON_MAX_SUPPRESSION_V4",
        [
          input([8, 4]), input([8]), integers([.max], shape: []), floats([]), floats([]),
        ], [output([1], .int32), output([], .int32)])),
    .init(
      "places without end that take no memory", "found here", mustFail: false,
      model(
        "SCATTER_ND",
        [
          input([.max >> 32, 512, 0], .int32), input([.max >> 32, 512, 0]), integers([0]),
        ], [output([0])])),
  ]
}
