import OcellusJSON
import OcellusPlatform

extension ConformanceCase {
  /// Reads a case from its .json file and the .bin file beside it.
  package init(path: String, in files: CorpusFiles = .fileSystem) throws {
    let description: JSONValue
    do {
      description = try JSONParser.parse(try files.bytes(of: path))
    } catch let error as JSONError {
      throw ConformanceCaseError(path: path, problem: error.description)
    }
    let base = String(path.dropLast(".json".count))
    let values = try files.bytes(of: base + ".bin")
    do throws(CaseDescription.Problem) {
      try self.init(CaseDescription(description), base: base, files: files, values: values)
    } catch {
      throw ConformanceCaseError(path: path, problem: error.text)
    }
  }

  private init(
    _ description: CaseDescription, base: String, files: CorpusFiles, values: [UInt8]
  ) throws(CaseDescription.Problem) {
    self.files = files
    let directory = base.parentPath
    group = directory.lastPathComponent
    name = base.lastPathComponent
    notes = description["notes"]?.string ?? ""
    modelPath = description["model"]?.string.map { "\(directory)/\($0)" } ?? base + ".tflite"
    guard let expectation = description["expect"]?.string.flatMap(Expectation.init) else {
      throw description.problem("expect")
    }
    self.expectation = expectation
    expectsMissingOperator = description.tellsOfMissingOperator
    tolerance = try description.tolerance()
    invocations = try description.invocations(byteCount: values.count)
    alternatives = try description.alternatives(byteCount: values.count, of: invocations)
    self.values = values
  }
}

/// The members of a case's .json file, with errors that name the member.
private struct CaseDescription {
  /// An error in a description.
  struct Problem: Error {
    let text: String
  }

  private let members: JSONObject

  init(_ value: JSONValue) throws(Problem) {
    guard let members = value.object else { throw Problem(text: "not an object") }
    self.members = members
  }

  subscript(name: String) -> JSONValue? { members[name] }

  func problem(_ member: String) -> Problem {
    Problem(text: "'\(member)' is missing or not as the corpus's format wants it")
  }

  private func integer(_ name: String) throws(Problem) -> Int {
    guard let number = self[name]?.integer, number >= 0 else { throw problem(name) }
    return number
  }

  private func number(_ name: String) throws(Problem) -> Double {
    guard let number = self[name]?.number else { throw problem(name) }
    return number
  }

  private func dimensions(_ value: JSONValue?, in name: String) throws(Problem) -> [Int] {
    guard let dimensions = value?.array?.compactMap(\.integer),
      dimensions.count == value?.array?.count
    else { throw problem(name) }
    return dimensions
  }
}

extension CaseDescription {
  /// Whether the official runtime reported a missing operator or version.
  package var tellsOfMissingOperator: Bool {
    let words = [
      "Didn't find op for builtin opcode", "builtin_code out of range", "unresolved custom op",
      "Regular TensorFlow ops are not supported",
    ]
    return words.contains { self["message"]?.string?.contains($0) == true }
  }

  package func tolerance() throws(Problem) -> Tolerance {
    guard let value = self["tolerance"] else { throw problem("tolerance") }
    let rule = try CaseDescription(value)
    switch rule["kind"]?.string {
    case "exact":
      return .exact
    case "close":
      return .close(absolute: try rule.number("atol"), relative: try rule.number("rtol"))
    case "statistical":
      return .statistical(
        .init(
          range: try rule.number("low")...max(try rule.number("low"), try rule.number("high")),
          mean: try rule.moment("mean", within: "mean_within"),
          standardDeviation: try rule.moment("std", within: "std_within")))
    default:
      throw problem("tolerance")
    }
  }

  private func moment(
    _ name: String, within: String
  ) throws(Problem) -> Tolerance.Statistics.Moment? {
    guard let value = self[name], value != .null else { return nil }
    return .init(expected: try number(name), within: try number(within))
  }

  /// Returns one list per invocation; a single invocation has a plain list in the file.
  private func perInvocation(_ name: String, count: Int) throws(Problem) -> [[JSONValue]] {
    guard let list = self[name]?.array else { throw problem(name) }
    // Cases that expect an error list no outputs.
    if list.isEmpty { return Array(repeating: [], count: count) }
    if count == 1 { return [list] }
    let lists = list.compactMap(\.array)
    guard lists.count == list.count, lists.count == count else { throw problem(name) }
    return lists
  }

  package func invocations(byteCount: Int) throws(Problem) -> [ConformanceCase.Invocation] {
    let count = try integer("invocations")
    guard (1...10_000).contains(count) else { throw problem("invocations") }
    let inputs = try perInvocation("inputs", count: count)
    let outputs = try perInvocation("outputs", count: count)
    let signatures = try signatures(count: count)
    let resizes = try resizes(count: count)
    var invocations: [ConformanceCase.Invocation] = []
    for step in 0..<count {
      invocations.append(
        .init(
          signature: signatures[step], resizes: resizes[step],
          inputs: try tensors(inputs[step], byteCount: byteCount),
          outputs: try tensors(outputs[step], byteCount: byteCount)))
    }
    return invocations
  }

  private func signatures(count: Int) throws(Problem) -> [String?] {
    switch self["signature"] {
    case nil:
      return Array(repeating: nil, count: count)
    case .string(let key):
      return Array(repeating: key, count: count)
    case .array(let keys) where keys.count == count:
      return keys.map(\.string)
    default:
      throw problem("signature")
    }
  }

  private func resizes(count: Int) throws(Problem) -> [[ConformanceCase.Resize]] {
    if let lists = self["resizes"]?.array {
      guard lists.count == count else { throw problem("resizes") }
      var all: [[ConformanceCase.Resize]] = []
      for list in lists { all.append(try resizes(list, in: "resizes")) }
      return all
    }
    let first = try self["resize"].map { list throws(Problem) in try resizes(list, in: "resize") }
    return [first ?? []] + Array(repeating: [], count: count - 1)
  }

  private func resizes(
    _ list: JSONValue, in name: String
  ) throws(Problem) -> [ConformanceCase.Resize] {
    var resizes: [ConformanceCase.Resize] = []
    for pair in list.array ?? [] {
      guard let parts = pair.array, parts.count == 2, let input = parts[0].integer else {
        throw problem(name)
      }
      resizes.append(.init(input: input, shape: try dimensions(parts[1], in: name)))
    }
    return resizes
  }

  private func tensors(
    _ list: [JSONValue], byteCount: Int
  ) throws(Problem) -> [ConformanceTensor] {
    var tensors: [ConformanceTensor] = []
    for value in list {
      tensors.append(try CaseDescription(value).tensor(byteCount: byteCount))
    }
    return tensors
  }

  private func tensor(byteCount: Int) throws(Problem) -> ConformanceTensor {
    guard let type = self["dtype"]?.string else { throw problem("dtype") }
    let offset = try integer("offset")
    let size = try integer("bytes")
    guard offset <= byteCount, size <= byteCount - offset else {
      throw Problem(text: "bytes \(offset) and following are beyond the end of the .bin file")
    }
    let defined = self["defined_bytes"] == nil ? size : try integer("defined_bytes")
    guard defined <= size else { throw problem("defined_bytes") }
    return ConformanceTensor(
      index: try integer("index"), name: self["name"]?.string ?? "", type: type,
      shape: try dimensions(self["shape"], in: "shape"), range: offset..<offset + size,
      definedByteCount: defined, tolerance: self["tolerance"] == nil ? nil : try tolerance())
  }

  package func alternatives(
    byteCount: Int, of invocations: [ConformanceCase.Invocation]
  ) throws(Problem) -> [[[Int]]] {
    var alternatives: [[[Int]]] = []
    for value in self["alternatives"]?.array ?? [] {
      var offsets: [[Int]] = []
      for row in try CaseDescription(value)["outputs"]?.array ?? [] {
        offsets.append(try dimensions(row, in: "alternatives"))
      }
      guard offsets.map(\.count) == invocations.map(\.outputs.count) else {
        throw problem("alternatives")
      }
      for (row, invocation) in zip(offsets, invocations) {
        for (offset, output) in zip(row, invocation.outputs) {
          guard (0...byteCount).contains(offset), output.range.count <= byteCount - offset else {
            throw problem("alternatives")
          }
        }
      }
      alternatives.append(offsets)
    }
    return alternatives
  }
}
