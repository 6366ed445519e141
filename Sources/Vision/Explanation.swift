package import OcellusEngine
package import OcellusJSON
import OcellusPlatform

/// The decisions about how a model is used, each with its source.
///
/// If no model was named, the first decision is which one is the default, and `warnings` say so if
/// it is one of the package's own, which know drawn scenes only.
public struct Explanation: Hashable, Sendable, CustomStringConvertible {
  /// One decision.
  public struct Entry: Hashable, Sendable {
    /// The property that was decided: `input size`, `colour order`.
    public var property: String
    /// The value that was chosen for the property.
    public var value: String
    /// The source of the decision: `options`, `metadata`, `the model's graph`.
    public var source: String
  }

  /// All decisions, in the order in which they apply to a picture.
  public private(set) var entries: [Entry] = []
  /// Findings that look wrong but do not keep the model from being used.
  public private(set) var warnings: [String] = []

  mutating func add(_ property: String, _ value: String, from source: String) {
    entries.append(Entry(property: property, value: value, source: source))
  }

  init() {}

  /// Describes the inputs, outputs and labels of a model, for users who must say how it is used.
  ///
  /// Empty when there is no readable model at the path.
  package init(ofModelAt path: String) {
    let package = try? ModelPackage(path: path)
    self.init(of: package.flatMap { try? Model(path: $0.modelPath) })
    if let labels = (try? package?.labels()) ?? nil {
      add("labels", "\(labels.labels.count)", from: labels.source)
    }
  }

  /// Describes the inputs and outputs of a model that does not come from a file; empty for `nil`.
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

  /// The decisions in machine-readable form.
  package var json: JSONValue {
    .array(
      entries.map { entry in
        [
          "property": .string(entry.property), "value": .string(entry.value),
          "source": .string(entry.source),
        ]
      })
  }

  /// One line for each decision and each warning.
  public var description: String {
    let propertyWidth = entries.map(\.property.count).max() ?? 0
    let valueWidth = entries.map(\.value.count).max() ?? 0
    let lines = entries.map { entry in
      entry.property.padded(to: propertyWidth) + "  " + entry.value.padded(to: valueWidth) + "  "
        + entry.source
    }
    // Names in the lines come from the model, so their line breaks are escaped.
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
