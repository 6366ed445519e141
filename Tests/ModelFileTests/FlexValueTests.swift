import OcellusModelFile
import Testing

@Suite struct FlexValueTests {
  private func decode(_ bytes: [UInt8]) throws(ModelFileError) -> FlexValue {
    let owner = ModelBytes(bytes)
    defer { withExtendedLifetime(owner) {} }
    return try FlexValue(decoding: owner.buffer)
  }

  /// The bytes are from `flexbuffers.Dumps` of the official Python package, version 25.12.19.
  @Test func readsWhatTheOfficialPackageDumps() throws {
    let bytes: [UInt8] = [
      109, 97, 120, 95, 100, 101, 116, 101, 99, 116, 105, 111, 110, 115, 0, 110, 109, 115, 95, 105,
      111, 117, 95, 116, 104, 114, 101, 115, 104, 111, 108, 100, 0, 117, 115, 101, 95, 114, 101,
      103, 117, 108, 97, 114, 95, 110, 109, 115, 0, 110, 97, 109, 101, 0, 3, 115, 115, 100, 0, 115,
      99, 97, 108, 101, 115, 0, 0, 0, 5, 0, 0, 0, 0, 0, 40, 65, 212, 254, 255, 255, 112, 17, 1, 0,
      0, 0, 0, 0, 1, 0, 0, 0, 14, 6, 6, 2, 106, 5, 98, 50, 85, 42, 69, 0, 6, 0, 0, 0, 1, 0, 0, 0,
      5, 0, 0, 0, 10, 0, 0, 0, 65, 0, 0, 0, 0, 0, 0, 63, 56, 0, 0, 0, 0, 0, 0, 0, 6, 20, 14, 42,
      106, 25, 38, 1,
    ]
    #expect(
      try decode(bytes)
        == .map([
          "max_detections": .int(10), "nms_iou_threshold": .float(0.5),
          "use_regular_nms": .bool(false), "name": .string("ssd"),
          "scales": .vector([.float(10.5), .int(-300), .int(70000), .null, .bool(true)]),
        ]))
  }

  /// The bytes are from the official package's `Builder`: typed and fixed vectors, a blob, wide
  /// scalars.
  @Test func readsEveryKindOfValue() throws {
    let bytes: [UInt8] = [
      118, 0, 3, 0, 1, 0, 2, 0, 44, 1, 102, 0, 0, 0, 192, 63, 0, 0, 32, 64, 0, 0, 64, 192, 105, 0,
      0, 0, 144, 238, 254, 255, 98, 0, 3, 1, 2, 3, 117, 0, 100, 0, 110, 0, 98, 111, 111, 108, 115,
      0, 2, 1, 0, 8, 22, 11, 16, 47, 34, 17, 22, 61, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0,
      0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 53, 0, 0, 0, 0, 0, 0, 0, 45, 0, 0, 0, 0, 0, 0, 0, 154, 153,
      153, 153, 153, 153, 185, 63, 100, 0, 0, 0, 0, 0, 0, 0, 92, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 128, 140, 0, 0, 0, 0, 0, 0, 0, 100, 144, 15, 86, 26, 3, 11, 45,
      72, 39, 1,
    ]
    #expect(
      try decode(bytes)
        == .map([
          "v": .vector([.int(1), .int(2), .int(300)]),
          "f": .vector([.float(1.5), .float(2.5), .float(-3)]), "i": .int(-70000),
          "b": .blob([1, 2, 3]), "u": .uint(1 << 63 + 5), "d": .float(0.1), "n": .null,
          "bools": .vector([.bool(true), .bool(false)]),
        ]))
  }

  static let values: [FlexValue] = [
    .null, .bool(true), .int(.min), .int(-128), .int(128), .uint(.max), .float(0.1),
    .float(.infinity),
    .string(""), .string("größer"), .string(String(repeating: "x", count: 70_000)), .blob([0, 1]),
    .vector([]), .vector([.int(1), .float(1.5), .float(0.1), .string("a"), .vector([.null])]),
    .map([:]), .map(["b": .int(1), "a": .map(["": .vector([.bool(false)])]), "ä": .uint(300)]),
    .vector(Array(repeating: .int(-1), count: 300)),
  ]

  @Test(arguments: values)
  func valuesComeBack(_ value: FlexValue) throws {
    #expect(try decode(value.encoded) == value)
  }

  @Test func conversionsAreThoseOfTheOfficialReader() {
    #expect(FlexValue.float(2.9).integer == 2)
    #expect(FlexValue.float(-1e300).integer == .min)
    #expect(FlexValue.float(.nan).integer == 0)
    #expect(FlexValue.uint(.max).integer == .max)
    #expect(FlexValue.int(3).number == 3)
    #expect(FlexValue.null.boolean == false && FlexValue.null.number == 0)
    #expect(FlexValue.map([:])["missing"].isNull)
  }

  @Test func everyPrefixAndEveryByteChangedIsReadOrRefused() throws {
    for value in Self.values where value.encoded.count < 500 {
      let bytes = value.encoded
      for length in bytes.indices { _ = try? decode(Array(bytes.prefix(length))) }
      for position in bytes.indices {
        for change in [UInt8(1), 2, 4, 8, 16, 32, 64, 128, 255] {
          var changed = bytes
          changed[position] ^= change
          _ = try? decode(changed)
        }
      }
    }
  }

  /// Vectors that contain themselves, or refer to the next one many times, are rejected.
  @Test func endlessValuesAreRefused() {
    // One element: a reference of distance 0 to the vector itself, as an untyped vector (10 << 2).
    let itself: [UInt8] = [1, 0, 40, 2, 40, 1]
    #expect(throws: ModelFileError.self) { try decode(itself) }

    var bytes: [UInt8] = [1, 1, 4]
    var previous = 1
    for _ in 0..<30 {
      bytes.append(8)
      let start = bytes.count
      for index in 0..<8 { bytes.append(UInt8(start + index - previous)) }
      bytes.append(contentsOf: Array(repeating: 40, count: 8))
      previous = start
    }
    bytes += [UInt8(bytes.count - previous), 40, 1]
    #expect { try decode(bytes) } throws: { ($0 as? ModelFileError)?.kind == .tooLarge }
  }
}
