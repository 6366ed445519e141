package import OcellusEngine
package import OcellusJSON
import OcellusPlatform

/// What was found out about a model, and from what.
public struct Explanation: Hashable, Sendable, CustomStringConvertible {
  /// One thing that was decided.
  public struct Entry: Hashable, Sendable {
    /// What was decided: `input size`, `colour order`.
    public var property: String
    /// How it was decided.
    public var value: String
    /// From what: `options`, `metadata`, `the model's graph`.
    public var source: String
  }

  /// Everything that was decided, in the order in which a picture meets it.
  public private(set) var entries: [Entry] = []
  /// What looks wrong but does not keep the model from being used.
  public private(set) var warnings: [String] = []

  mutating func add(_ property: String, _ value: String, from source: String) {
    entries.append(Entry(property: property, value: value, source: source))
  }

  init() {}

  /// What a model shows of itself, for those who have to say how one is used that nobody understands;
  /// nothing where there is no model at the path.
  package init(ofModelAt path: String) {
    let package = try? ModelPackage(path: path)
    self.init(of: package.flatMap { try? Model(path: $0.modelPath) })
    if let labels = (try? package?.labels()) ?? nil {
      add("labels", "\(labels.labels.count)", from: labels.source)
    }
  }

  /// The same for a model that comes from no file; nothing where there is none.
  package init(of model: Model?) {
    guard let model, let interpreter = try? Interpreter(model) else { return }
    for (index, input) in interpreter.inputs.enumerated() {
      add("input \(index)", input.inWords, from: "the model")
    }
    let facts = try? ModelFacts(interpreter)
    for (index, output) in interpreter.outputs.enumerated() {
      let isProbability = facts?.graph.outputs[index].isProbability == true
      add(
        "output \(index)", output.inWords + (isProbability ? ", probabilities" : ""),
        from: "the model"
      )
    }
  }

  mutating func warn(_ message: String) { warnings.append(message) }

  /// The decisions for programs.
  package var json: JSONValue {
    .array(
      entries.map { entry in
        [
          "property": .string(entry.property), "value": .string(entry.value),
          "source": .string(entry.source),
        ]
      })
  }

  /// A line for every decision, and for every warning.
  public var description: String {
    let propertyWidth = entries.map(\.property.count).max() ?? 0
    let valueWidth = entries.map(\.value.count).max() ?? 0
    let lines = entries.map { entry in
      entry.property.padded(to: propertyWidth) + "  " + entry.value.padded(to: valueWidth) + "  "
        + entry.source
    }
    // Names in them are a model's own, and must not look like lines.
    return (lines + warnings.map { "warning: \($0)" }).map(\.printableInLine)
      .joined(separator: "\n")
  }
}

extension TensorDescription {
  fileprivate var inWords: String { "'\(name)', \(type.name) \(shape)" }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(width - count, 0))
  }
}
