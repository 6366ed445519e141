import OcellusPlatform
import OcellusStore
import OcellusVision

/// Names of models in the store, where a command expects the file of a model.
enum StoredModelNames {
  /// The arguments with paths in the place of names.
  static func resolved(
    _ arguments: ParsedArguments, of definition: CommandDefinition
  ) throws(UsageError) -> ParsedArguments {
    var arguments = arguments
    if let operand = definition.operand, operand.accepted == .model {
      // `receipt check` is what it says, whatever models there are.
      let actions = arguments.operands.prefix(1).filter(operand.actions.contains)
      arguments.operands = try actions + paths(Array(arguments.operands.dropFirst(actions.count)))
    }
    for option in definition.options where option.accepted == .model {
      guard let texts = arguments.texts[option.name] else { continue }
      arguments.texts[option.name] = try paths(texts)
    }
    return arguments
  }

  private static func paths(_ texts: [String]) throws(UsageError) -> [String] {
    var paths: [String] = []
    for text in texts { paths.append(try path(text)) }
    return paths
  }

  /// The path of the model that is meant: a file that is there, whatever it is called; then the store's.
  private static func path(_ text: String) throws(UsageError) -> String {
    guard isName(text), !FileSystem.exists(text) else { return text }
    if let model = try? store.localModel(text) { return model.path }
    // `model@way` runs a model in a way, `model#12` is a node of it.
    if let mark = text.lastIndex(where: { "@#".contains($0) }),
      let model = try? store.localModel(String(text[..<mark]))
    {
      return model.path + text[mark...]
    }
    let catalog = try? ModelCatalog(path: EmbeddedModel.catalogPath)
    guard catalog?.entries.contains(where: { $0.id == text }) == true else { return text }
    throw UsageError(
      "the model '\(text)' is not here yet; 'ocellus models pull \(text)' fetches it")
  }

  private static var store: ModelStore { ModelStore(.nothing) }

  /// Whether it can be a name, and is not meant as a path.
  private static func isName(_ text: String) -> Bool {
    !["", "-"].contains(text) && !text.contains("/") && !text.hasSuffix(".tflite")
  }
}
