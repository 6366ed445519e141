import OcellusJSON
import Testing

@testable import OcellusCommands

@Suite struct JSONTests {
  private func parse(_ text: String) throws(JSONError) -> JSONValue {
    try JSONParser.parse(Array(text.utf8))
  }

  @Test func readsEveryKindOfValue() throws {
    let value = try parse(#" {"a": [1, -2.5, 1e3, true, false, null], "b": {"c": "d"}, "e": []} "#)
    #expect(
      value == [
        "a": [1, .number(-2.5), .number(1000), true, false, .null], "b": ["c": "d"], "e": [],
      ])
  }

  @Test func keepsWholeNumbersWhole() throws {
    #expect(try parse("9007199254740993") == .integer(9_007_199_254_740_993))
    #expect(try parse("-0") == .integer(0))
    #expect(try parse("18446744073709551616") == .number(0x1p64))
    #expect(try parse("3e-45") == .number(3e-45))
  }

  @Test func readsWhatPythonWritesForNumbersThatAreNone() throws {
    let values = try #require(try parse("[NaN, Infinity, -Infinity]").array)
    #expect(values[0].number?.isNaN == true)
    #expect(values[1].number == .infinity)
    #expect(values[2].number == -.infinity)
  }

  @Test func readsEscapes() throws {
    #expect(
      try parse(#""\"\\\/\b\f\n\r\tA\u00e9\ud83d\ude00é""#).string == "\"\\/\u{8}\u{C}\n\r\tAé😀é")
  }

  @Test(arguments: [
    "", " ", "{", "[1,]", "{\"a\":1,}", "{\"a\"}", "{a:1}", "[1 2]", "1 2", "01", "1.", ".5", "+1",
    "1e", "tru", "nul", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\ud83d\"", "\"\\ude00\"", "\"\u{01}\"",
    "'a'", "-", "-Infinit",
  ])
  func refusesWhatIsNotJSON(text: String) {
    #expect(throws: JSONError.self) { try parse(text) }
  }

  @Test func refusesStringsThatAreNotUTF8() {
    #expect(throws: JSONError.self) { try JSONParser.parse([0x22, 0xFF, 0x22]) }
  }

  @Test func refusesDeepNestingInsteadOfOverflowingTheStack() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try parse(nested(JSONParser.depthLimit))
    #expect(throws: JSONError.self) { try parse(nested(JSONParser.depthLimit + 1)) }
    #expect(throws: JSONError.self) { try parse(String(repeating: "[{\"a\":", count: 1_000_000)) }
  }

  @Test func namesThePlaceOfAnError() {
    #expect(throws: JSONError(byteOffset: 6, problem: "no value starts like this")) {
      try parse("{\"a\": x}")
    }
  }

  @Test func theLastOfEqualNamesCounts() throws {
    #expect(try parse(#"{"a": 1, "a": 2}"#).object?["a"] == 2)
  }

  @Test func writesMembersInTheirOrder() {
    let value: JSONValue = ["b": 1, "a": [.number(0.5), .null, true], "c": "é\n\"\u{1}"]
    #expect(value.text == #"{"b": 1, "a": [0.5, null, true], "c": "é\n\"\u0001"}"#)
    #expect(JSONValue.number(.nan).text == "null")
    #expect(JSONValue.number(-.infinity).text == "null")
  }

  @Test func readsWhatItWrites() throws {
    let value: JSONValue = ["x": [.number(0.1), .number(1e-300), .integer(.min), "\u{7F}\\/"]]
    #expect(try parse(value.text) == value)
  }

  @Test func trailingCommasAreReadOnlyWhereAsked() throws {
    let text = Array(#"{"modelType": "IMAGE_LABELING", "sizes": [1, 2,],}"#.utf8)
    #expect(throws: JSONError.self) { try JSONParser.parse(text) }
    let value = try JSONParser.parse(text, allowsTrailingCommas: true)
    #expect(value.object?["sizes"]?.array == [1, 2])
    #expect(throws: JSONError.self) {
      try JSONParser.parse(Array("[,]".utf8), allowsTrailingCommas: true)
    }
  }
}
