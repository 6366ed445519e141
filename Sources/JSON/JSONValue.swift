/// A JSON document, or a part of one.
package enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  /// A number without fraction and exponent that fits in `Int`.
  case integer(Int)
  /// Any other number. NaN and infinities are read, because Python writes them, but not written.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue {
  /// The members, if this is an object.
  package var object: JSONObject? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The elements, if this is an array.
  package var array: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The text, if this is a string.
  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number, if this is an integer.
  package var integer: Int? {
    if case .integer(let number) = self { number } else { nil }
  }

  /// The number, integer or not.
  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  /// Makes an array of integers.
  package static func integers(_ numbers: some Sequence<Int>) -> JSONValue {
    .array(numbers.map { .integer($0) })
  }

  /// Makes an array of strings.
  package static func strings(_ texts: some Sequence<String>) -> JSONValue {
    .array(texts.map { .string($0) })
  }

  /// Makes a string, or null for `nil`.
  package static func string(orNull text: String?) -> JSONValue {
    text.map { .string($0) } ?? .null
  }

  /// Makes an integer, or null for `nil`.
  package static func integer(orNull number: Int?) -> JSONValue {
    number.map { .integer($0) } ?? .null
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(JSONObject(members.map { JSONObject.Member(name: $0, value: $1) }))
  }
}

extension JSONValue: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: JSONValue...) {
    self = .array(elements)
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) {
    self = .string(text)
  }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  package init(integerLiteral number: Int) {
    self = .integer(number)
  }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  package init(booleanLiteral truth: Bool) {
    self = .bool(truth)
  }
}
