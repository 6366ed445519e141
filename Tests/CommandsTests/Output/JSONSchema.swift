import OcellusJSON

/// The subset of JSON Schema (draft 2020-12) that the schema of results uses.
struct JSONSchema {
  let root: JSONObject

  init(parsing bytes: [UInt8]) throws {
    root = try JSONParser.parse(bytes).object ?? JSONObject()
  }

  /// Returns the violations of the schema by a value, each with its path.
  func problems(of value: JSONValue) -> [String] { problems(of: value, as: root, at: "$") }

  /// Returns the violations of one of the schema's definitions by a value.
  func problems(of value: JSONValue, as name: String) -> [String] {
    problems(of: value, as: definition("#/$defs/\(name)"), at: "$")
  }

  private func problems(of value: JSONValue, as schema: JSONObject, at place: String) -> [String] {
    if let path = schema["$ref"]?.string {
      return self.problems(of: value, as: definition(path), at: place)
    }
    if let choices = schema["anyOf"]?.array?.compactMap(\.object) {
      let attempts = choices.map { self.problems(of: value, as: $0, at: place) }
      // The choice with the fewest violations gives the most useful message.
      return attempts.min { $0.count < $1.count } ?? []
    }
    var problems: [String] = []
    if let constant = schema["const"], constant != value {
      problems.append("\(place) is not \(constant.text)")
    }
    if let choices = schema["enum"]?.array, !choices.contains(value) {
      problems.append("\(place) is none of \(choices.map(\.text))")
    }
    if let types = schema["type"], !Self.names(of: value).contains(where: { types.allows($0) }) {
      return problems + ["\(place) is \(value.text.prefix(40)), not \(types.text)"]
    }
    if let pattern = schema["pattern"]?.string, let text = value.string,
      let regex = try? Regex(pattern), text.firstMatch(of: regex) == nil
    {
      problems.append("\(place) does not match \(pattern)")
    }
    if let elements = value.array, let element = schema["items"]?.object {
      for (index, value) in elements.enumerated() {
        problems += self.problems(of: value, as: element, at: "\(place)[\(index)]")
      }
    }
    if let object = value.object {
      problems += self.problems(of: object, as: schema, at: place)
    }
    return problems
  }

  private func problems(of value: JSONObject, as schema: JSONObject, at place: String) -> [String] {
    var problems: [String] = []
    let properties = schema["properties"]?.object
    for member in value.members {
      if let property = properties?[member.name]?.object {
        problems += self.problems(of: member.value, as: property, at: "\(place).\(member.name)")
      } else if schema["additionalProperties"] == false {
        problems.append("\(place).\(member.name) is in no schema")
      }
    }
    for name in schema["required"]?.array?.compactMap(\.string) ?? [] where value[name] == nil {
      problems.append("\(place).\(name) is missing")
    }
    if Set(value.members.map(\.name)).count != value.members.count {
      problems.append("\(place) has a name twice")
    }
    return problems
  }

  private func definition(_ path: String) -> JSONObject {
    root["$defs"]?.object?[String(path.dropFirst("#/$defs/".count))]?.object ?? ["const": "missing"]
  }

  private static func names(of value: JSONValue) -> [String] {
    switch value {
    case .null: ["null"]
    case .bool: ["boolean"]
    case .integer: ["integer", "number"]
    case .number(let number): number.rounded() == number ? ["integer", "number"] : ["number"]
    case .string: ["string"]
    case .array: ["array"]
    case .object: ["object"]
    }
  }
}

extension JSONValue {
  /// Whether a schema's `type`, one name or several, contains a name.
  fileprivate func allows(_ name: String) -> Bool {
    string == name || array?.contains(.string(name)) == true
  }

  /// The names of all members at any depth.
  var memberNames: Set<String> {
    switch self {
    case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.memberNames) }
    case .object(let object):
      object.members.reduce(into: []) { names, member in
        names.insert(member.name)
        names.formUnion(member.value.memberNames)
      }
    default: []
    }
  }
}
