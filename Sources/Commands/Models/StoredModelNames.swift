import OcellusPlatform
import OcellusStore
import OcellusVision

/// Names of models in the store, where a command expects the file of a model.
enum StoredModelNames {
  /// The arguments with paths in the place of names.
  ///
  /// - Throws: `notDownloaded` for what is neither a file nor the name of a model that is here, and another error
  ///   for a model that is here and cannot be used.
  static func resolved(
    _ arguments: ParsedArguments, of definition: CommandDefinition
  ) throws(StoreError) -> ParsedArguments {
    var arguments = arguments
    if let operand = definition.operand, operand.accepted == .model {
      // `receipt check` is what it says, whatever models there are.
      let actions = arguments.operands.prefix(1).filter(operand.actions.contains)
      let others = arguments.operands.dropFirst(actions.count)
      arguments.operands = try actions + paths(others, orAnyWord: operand.takesOtherWords)
    }
    for option in definition.options where option.accepted == .model {
      guard let texts = arguments.texts[option.name] else { continue }
      arguments.texts[option.name] = try paths(texts)
    }
    return arguments
  }

  private static func paths(
    _ texts: some Sequence<String>, orAnyWord takesOtherWords: Bool = false
  ) throws(StoreError) -> [String] {
    var paths: [String] = []
    for text in texts {
      guard let path = try path(text) else {
        guard takesOtherWords else { throw missing(text) }
        paths.append(text)
        continue
      }
      paths.append(path)
    }
    return paths
  }

  /// The path of the model that is meant: a file that is there, whatever it is called; then the store's.
  private static func path(_ text: String) throws(StoreError) -> String? {
    guard isName(text), !FileSystem.exists(text) else { return text }
    if let path = try storedPath(text) { return path }
    let (name, rest) = parts(text)
    guard !rest.isEmpty else { return nil }
    // A way alone is one to run the model that is named beside it.
    guard isName(name), !FileSystem.exists(name) else { return text }
    return try storedPath(name).map { $0 + rest }
  }

  /// The path of a model of the store; `nil` for none, and for what can be no name.
  private static func storedPath(_ name: String) throws(StoreError) -> String? {
    do throws(StoreError) { return try store.localModel(name).path } catch {
      if [.notDownloaded, .malformed].contains(error.kind) { return nil }
      // Where nobody may look into the store, nothing says that a model was meant.
      if error.kind == .fileFailed, !store.recordedNames().contains(name) { return nil }
      throw error
    }
  }

  /// `model@way` runs a model in a way, `model#12` is a node of it.
  private static func parts(_ text: String) -> (name: String, rest: String) {
    let mark = text.lastIndex { "@#".contains($0) } ?? text.endIndex
    return (String(text[..<mark]), String(text[mark...]))
  }

  /// What to do about a name that nothing here has.
  private static func missing(_ text: String) -> StoreError {
    let name = parts(text).name
    let known = ((try? ModelCatalog(path: EmbeddedModel.catalogPath))?.entries ?? []).map(\.id)
    if known.contains(name) {
      return StoreError(
        .notDownloaded,
        "the model '\(name)' is not here yet; 'ocellus models pull \(name)' fetches it")
    }
    let hint = Suggestion.text(for: name, among: known + store.localModels().map(\.name))
    return StoreError(
      .notDownloaded,
      "'\(name)' is neither a file nor a model that was pulled, see 'ocellus models list'\(hint)")
  }

  private static var store: ModelStore { ModelStore(.nothing) }

  /// Whether it can be a name, and is not meant as a path.
  private static func isName(_ text: String) -> Bool {
    !["", "-"].contains(text) && !text.contains("/") && !text.hasSuffix(".tflite")
  }
}
