import OcellusModelFile

/// Divisors that come from the file: 19 of the 41 advisories.
extension HostileModel {
  static let divisions: [HostileModel] = [
    .init(
      "strides of zero", "CVE-2021-29585, CVE-2021-29594, CVE-2023-27579",
      convolution([1: .int32(0), 2: .int32(0)])),
    .init(
      "dilation beyond 32 bits", "CVE-2021-29594", mustFail: false,
      convolution([1: .int32(1), 2: .int32(1), 4: .int32(.max), 5: .int32(.max)])),
    .init(
      "filter without channels", "CVE-2023-27579",
      model(
        "CONV_2D", [input([1, 4, 4, 1]), floats([1, 1, 1, 0]), floats([1])], [output()],
        options: .init(tag: BuiltinOptionsTag.conv2D, [1: .int32(1), 2: .int32(1)]))),
    .init(
      "pool strides of zero", "CVE-2021-29586, CVE-2021-37684",
      model(
        "MAX_POOL_2D", [input([1, 4, 4, 1])], [output()],
        options: .init(tag: BuiltinOptionsTag.pool2D, [3: .int32(2), 4: .int32(2)]))),
    .init(
      "block size of zero", "CVE-2021-29587",
      model(
        "SPACE_TO_DEPTH", [input([1, 4, 4, 1])], [output()],
        options: .init(tag: BuiltinOptionsTag.spaceToDepth))),
    .init(
      "block size of zero", "CVE-2021-29595",
      model(
        "DEPTH_TO_SPACE", [input([1, 4, 4, 4])], [output()],
        options: .init(tag: BuiltinOptionsTag.depthToSpace))),
    .init(
      "negative block size", "CVE-2021-29595",
      model(
        "DEPTH_TO_SPACE", [input([1, 4, 4, 4])], [output()],
        options: .init(tag: BuiltinOptionsTag.depthToSpace, [0: .int32(-2)]))),
    .init(
      "transposed strides of zero", "CVE-2021-29588",
      model(
        "TRANSPOSE_CONV", [integers([1, 4, 4, 1]), floats([1, 2, 2, 1]), input([1, 2, 2, 1])],
        [output()], options: .init(tag: BuiltinOptionsTag.transposeConv))),
    .init(
      "parameters without elements", "CVE-2021-29589", mustFail: false,
      model("GATHER_ND", [input([0, 3]), integers([0, 0], shape: [1, 2])], [output()])),
    .init(
      "blocks of zero", "CVE-2021-29593, CVE-2021-29597",
      model(
        "BATCH_TO_SPACE_ND", [input([4, 1, 1, 1]), integers([0, 0]), crops], [output()])),
    .init(
      "blocks of zero", "CVE-2021-29597",
      model(
        "SPACE_TO_BATCH_ND", [input([1, 2, 2, 1]), integers([0, 0]), crops], [output()])),
    .init(
      "table without rows", "CVE-2021-29596",
      model("EMBEDDING_LOOKUP", [integers([0]), input([0, 4])], [output([1, 4])])),
    .init(
      "rank of zero", "CVE-2021-29598",
      model(
        "SVDF",
        [
          input([1, 4]), floats([4, 4]), floats([4, 2]), floats([2]),
          Tensor("state", .float32, [1, 8], isVariable: true),
        ], [output()], options: .init(tag: BuiltinOptionsTag.svdf))),
    .init(
      "no pieces to split into", "CVE-2021-29599",
      model(
        "SPLIT", [integers([0], shape: []), input([4])], [output()],
        options: .init(tag: BuiltinOptionsTag.split, [0: .int32(0)]))),
    .init(
      "no indices", "CVE-2021-29600", mustFail: false,
      model(
        "ONE_HOT",
        [
          input([0], .int32), integers([3], shape: []), floats([]), floats([]),
        ], [output()], options: .init(tag: BuiltinOptionsTag.oneHot, [0: .int32(-1)]))),
    .init(
      "depth multiplier and channels of zero", "CVE-2021-29602",
      model(
        "DEPTHWISE_CONV_2D", [input([1, 4, 4, 0]), floats([1, 1, 1, 4]), floats([4])], [output()],
        options: .init(tag: BuiltinOptionsTag.depthwiseConv2D, [1: .int32(1), 2: .int32(1)]))),
    .init(
      "keys without rows", "CVE-2021-29604",
      model(
        "HASHTABLE_LOOKUP", [integers([0]), integers([], shape: [0]), input([0, 0])],
        [output(), output([1], .uint8)])),
    .init(
      "weights without columns", "CVE-2021-37680", mustFail: false,
      model(
        "FULLY_CONNECTED", [input([0]), floats([4, 0]), floats([4])], [output()],
        options: .init(tag: BuiltinOptionsTag.fullyConnected))),
    .init(
      "integer divisor of zero", "CVE-2021-37683",
      model(
        "DIV", [input([2], .int32), integers([0, 0])], [output([2], .int32)],
        options: .init(tag: BuiltinOptionsTag.div))),
    .init(
      "hash of nothing", "CVE-2021-37691",
      model(
        "LSH_PROJECTION", [floats([0, 0]), input([0], .int32)], [output([1], .int32)],
        options: .init(tag: BuiltinOptionsTag.lshProjection, [0: .int8(1)]))),
  ]

  private static let crops = integers([0, 0, 0, 0], shape: [2, 2])

  private static func convolution(_ fields: FlatFields) -> ModelWriter {
    model(
      "CONV_2D", [input([1, 4, 4, 1]), floats([1, 1, 1, 1]), floats([1])], [output()],
      options: .init(tag: BuiltinOptionsTag.conv2D, fields))
  }
}
