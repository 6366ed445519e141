import OcellusEngine
import OcellusJSON
import Testing

@testable import OcellusServer

@Suite struct TensorCodingTests {
  private static func json(_ text: String) throws -> JSONValue {
    try JSONParser.parse(Array(text.utf8))
  }

  private static let rightElements: [(name: String, data: String, bytes: [UInt8])] = [
    ("UINT8", "[0, 255]", [0, 255]), ("INT8", "[-1, 127]", [255, 127]),
    ("INT16", "[-2]", [254, 255]), ("INT32", "[1, [2]]", [1, 0, 0, 0, 2, 0, 0, 0]),
    ("INT64", "[-1]", [UInt8](repeating: 255, count: 8)), ("BOOL", "[true, 0]", [1, 0]),
    ("FP32", "[1]", [0, 0, 0x80, 0x3F]), ("FP64", "[1.0]", [0, 0, 0, 0, 0, 0, 0xF0, 0x3F]),
  ]

  @Test(arguments: rightElements)
  func elements(name: String, data: String, bytes: [UInt8]) throws {
    let type = try #require(TensorType(rawValue: name))
    let count = bytes.count / (type.width ?? 1)
    #expect(try TensorCoding.bytes(of: Self.json(data), type, count: count, "x") == bytes)
  }

  @Test(arguments: [
    ("UINT8", "[256]"), ("UINT8", "[-1]"), ("INT8", "[\"1\"]"), ("INT32", "[0.5]"),
    ("BOOL", "[2]"), ("FP32", "[null]"), ("BYTES", "[1]"), ("FP16", "[1]"), ("UINT8", "[1, 2]"),
    ("UINT8", "[]"), ("UINT8", "{}"),
  ])
  func wrongElements(name: String, data: String) throws {
    let type = try #require(TensorType(rawValue: name))
    #expect(throws: HTTPError.self) {
      try TensorCoding.bytes(of: Self.json(data), type, count: 1, "x")
    }
  }

  @Test func stringsThereAndBack() throws {
    let strings = ["", "a", "\u{e4}\u{0}b"].map { Array($0.utf8) }
    let packed = TensorCoding.packed(strings)
    #expect(TensorCoding.unpacked(packed).map { Array($0) } == strings)
    let value = TensorValue(type: .string, shape: Shape([3]), bytes: packed)
    let data = TensorCoding.data(of: value, .bytes)
    #expect(try TensorCoding.strings(in: data[...], count: 3, "x") == strings)
    #expect(TensorCoding.json(of: value, .bytes) == .strings(["", "a", "\u{e4}\u{0}b"]))
    for count in 0..<data.count {
      #expect(throws: HTTPError.self) {
        try TensorCoding.strings(in: data.prefix(count), count: 3, "x")
      }
    }
  }

  @Test func floatsInJSONAreExact() {
    let values: [Float] = [0.1, -3.4e38, 1e-30, .infinity]
    let value = TensorValue(
      type: .float32, shape: Shape([4]), bytes: values.withUnsafeBytes { Array($0) })
    let numbers = TensorCoding.json(of: value, .float32).array?.map { $0.number.map { Float($0) } }
    #expect(numbers == values)
  }
}
