/// A model to serve, as the command line names it: `NAME=MODEL,labels=FILE,task=detect`.
package struct ModelSpecification: Sendable, Equatable {
  /// The name in URLs.
  package var name: String
  /// The file, the folder, or the name of a model in the store; empty for the default model.
  package var source: String
  /// The file of labels.
  package var labels: String?
  /// The task, by the name of its command, or `tensors` to serve tensors only; `nil`: as the model is.
  package var task: String?
  /// A model that names each object that this model finds.
  package var classifier: String?
  package var threshold: Float?

  package init(name: String, source: String, task: String? = nil) {
    self.name = name
    self.source = source
    self.task = task
  }

  /// The default models, which are served if the command line names none.
  package static let defaults = [
    ModelSpecification(name: "detector", source: "", task: "detect"),
    ModelSpecification(name: "labeler", source: "", task: "label"),
  ]

  /// Reads a specification; a model without a name has that of its file.
  ///
  /// - Throws: `ServerError` that says what is wrong with the text.
  package init(_ text: String) throws(ServerError) {
    var fields = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let first = fields.removeFirst()
    if let equals = first.firstIndex(of: "="), !first[..<equals].contains("/") {
      self.init(
        name: String(first[..<equals]), source: String(first[first.index(after: equals)...]))
    } else {
      self.init(name: Self.stem(first), source: first)
    }
    for field in fields {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[1].isEmpty else {
        throw ServerError("-m \(text): '\(field)' should be KEY=VALUE (\(Self.keys))")
      }
      try set(String(parts[0]), to: String(parts[1]), in: text)
    }
    guard !source.isEmpty else { throw ServerError("-m \(text): names no model") }
    guard Self.isName(name) else {
      throw ServerError(
        "-m \(text): '\(name)' cannot be in a URL: use letters, digits, '-', '_' and '.' (NAME=MODEL)"
      )
    }
  }

  private static let keys = "labels, task, classifier, threshold"

  private mutating func set(
    _ key: String, to value: String, in text: String
  ) throws(ServerError) {
    switch key {
    case "labels": labels = value
    case "classifier": classifier = value
    case "task":
      guard ServedTask.names.contains(value) else {
        throw ServerError(
          "-m \(text): there is no task '\(value)'; there are \(ServedTask.names.joined(separator: ", "))"
        )
      }
      task = value
    case "threshold":
      guard let number = Float(value), (0...1).contains(number) else {
        throw ServerError("-m \(text): threshold wants a number from 0 to 1, not '\(value)'")
      }
      threshold = number
    default: throw ServerError("-m \(text): there is no key '\(key)'; there are \(Self.keys)")
    }
  }

  /// Returns the name of a file without folders and extension.
  private static func stem(_ path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.hasSuffix(".tflite") ? String(file.dropLast(7)) : file
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 100 && !text.hasPrefix(".")
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
  }
}
