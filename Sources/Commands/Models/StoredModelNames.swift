import OcellusPlatform
import OcellusStore

/// Names of models in the store, where a command expects the file of a model.
enum StoredModelNames {
  /// The arguments with paths in the place of names.
  static func resolved(
    _ arguments: ParsedArguments, of definition: CommandDefinition
  ) -> ParsedArguments {
    var arguments = arguments
    if definition.operand?.accepted == .model {
      arguments.operands = arguments.operands.map(path)
    }
    for option in definition.options where option.accepted == .model {
      arguments.texts[option.name] = arguments.texts[option.name]?.map(path)
    }
    return arguments
  }

  /// The path of the model that is meant: a file that is there, whatever it is called; then the store's.
  private static func path(_ text: String) -> String {
    guard isName(text), !FileSystem.exists(text) else { return text }
    if let model = try? store.localModel(text) { return model.path }
    // `model@way` runs a model in a way.
    guard let at = text.lastIndex(of: "@"),
      let model = try? store.localModel(String(text[..<at]))
    else { return text }
    return model.path + text[at...]
  }

  private static var store: ModelStore { ModelStore(.nothing) }

  /// Whether it can be a name, and is not meant as a path.
  private static func isName(_ text: String) -> Bool {
    // `receipt check` is what it says, whatever models there are.
    !["", "-", "check"].contains(text) && !text.contains("/") && !text.hasSuffix(".tflite")
  }
}
