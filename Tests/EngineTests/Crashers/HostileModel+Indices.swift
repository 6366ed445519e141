import OcellusModelFile

/// Indices and axes out of range, from options and from data: 9 of the 41 advisories.
extension HostileModel {
  static let indices: [HostileModel] = [
    .init(
      "axis before the first", "CVE-2020-15207",
      model("CUMSUM", [input([2, 2]), integers([-3], shape: [])], [output([2, 2])])),
    .init(
      "segments that go down", "CVE-2020-15212, CVE-2020-15214",
      model("SEGMENT_SUM", [input([2, 2]), integers([5, -1])], [output()])),
    .init(
      "minimum with nothing", "CVE-2021-29590", mustFail: false,
      model(
        "MINIMUM", [input([0]), floats([1])], [output([0])],
        options: .init(tag: BuiltinOptionsTag.maximumMinimum))),
    .init(
      "axis beyond the last", "CVE-2021-29603",
      model(
        "ARG_MAX", [input([2, 2]), integers([7], shape: [])], [output([2], .int32)],
        options: .init(tag: BuiltinOptionsTag.argMax, [0: .int8(2)]))),
    .init(
      "axis beyond the last", "CVE-2021-29606",
      model(
        "SPLIT_V", [input([4]), integers([2, 2]), integers([.min], shape: [])],
        [output([2]), output([2])],
        options: .init(tag: BuiltinOptionsTag.splitV, [0: .int32(2)]))),
    .init(
      "axis of the smallest integer", "CVE-2021-37685",
      model("EXPAND_DIMS", [input([2]), integers([.min], shape: [])], [output()])),
    .init(
      "negative index", "CVE-2021-37687",
      model(
        "GATHER", [input([4]), integers([-1, .min])], [output([2])],
        options: .init(tag: BuiltinOptionsTag.gather))),
    .init(
      "negative index tuple", "CVE-2021-37687, CVE-2022-35938",
      model("GATHER_ND", [input([4, 4]), integers([-1, 3], shape: [1, 2])], [output()])),
    .init(
      "scattering outside", "CVE-2022-35939",
      model(
        "SCATTER_ND", [integers([9], shape: [1, 1]), input([1]), integers([4])], [output([4])])),
    .init(
      "batch dimensions beyond the rank", "LiteRT 2026",
      model(
        "GATHER", [input([4]), integers([0])], [output()],
        options: .init(tag: BuiltinOptionsTag.gather, [0: .int32(0), 1: .int32(.min)]))),
    .init(
      "bias of another length", "CVE-2022-41894",
      model(
        "CONV_3D_TRANSPOSE",
        [
          integers([1, 2, 2, 2, 1]), floats([1, 1, 1, 1, 1]), input([1, 2, 2, 2, 1]), floats([9]),
        ],
        [output()],
        options: .init(
          tag: BuiltinOptionsTag.conv3D, [1: .int32(1), 2: .int32(1), 3: .int32(1)]))),
    .init(
      "sequences longer than their rows", "LiteRT 2026",
      model(
        "REVERSE_SEQUENCE", [input([2, 2]), integers([900, -900])], [output([2, 2])],
        options: .init(tag: BuiltinOptionsTag.reverseSequence, [0: .int32(1), 1: .int32(0)]))),
    .init(
      "sums over an axis that is not there", "CVE-2020-15207",
      model(
        "MEAN", [input([2, 2]), integers([.max])], [output([2])],
        options: .init(tag: BuiltinOptionsTag.reducer))),
    .init(
      "permutation that repeats", "LiteRT 2026",
      model("TRANSPOSE", [input([2, 3]), integers([1, 1])], [output([3, 2])])),
  ]
}
