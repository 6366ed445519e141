/// The members of a JSON object, in the order in which they were read or are written.
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

  /// The value of the last member with this name: most readers treat duplicates like this.
  package subscript(name: String) -> JSONValue? {
    members.last { $0.name == name }?.value
  }

  /// Appends the members of another object.
  package mutating func append(_ other: JSONObject) {
    members += other.members
  }

  /// Returns the members of both objects.
  package static func + (first: JSONObject, second: JSONObject) -> JSONObject {
    JSONObject(first.members + second.members)
  }

  /// Appends a member.
  package mutating func append(_ name: String, _ value: JSONValue) {
    members.append(Member(name: name, value: value))
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self.init(members.map { Member(name: $0, value: $1) })
  }
}
