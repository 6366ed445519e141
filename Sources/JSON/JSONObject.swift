/// The members of a JSON object in the order of the text, which is the order they are written in.
package struct JSONObject: Equatable, Sendable {
  /// One name and its value.
  package struct Member: Equatable, Sendable {
    package let name: String
    package let value: JSONValue

    package init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  package private(set) var members: [Member]

  package init(_ members: [Member] = []) {
    self.members = members
  }

  /// The value of the last member of that name, as most readers see duplicates.
  package subscript(name: String) -> JSONValue? {
    members.last { $0.name == name }?.value
  }

  /// Adds the members of another object behind the others.
  package mutating func append(_ other: JSONObject) {
    members += other.members
  }

  /// The members of both.
  package static func + (first: JSONObject, second: JSONObject) -> JSONObject {
    JSONObject(first.members + second.members)
  }

  /// Adds a member behind the others.
  package mutating func append(_ name: String, _ value: JSONValue) {
    members.append(Member(name: name, value: value))
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self.init(members.map { Member(name: $0, value: $1) })
  }
}
