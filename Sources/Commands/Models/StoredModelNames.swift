import OcellusPlatform
import OcellusStore
import OcellusVision

/// Resolves names of stored models where a command expects a model file.
enum StoredModelNames {
  /// Returns the arguments with names replaced by paths.
  ///
  /// - Throws: `notDownloaded` for an argument that is neither a file nor the name of a stored
  ///   model, and another error for a stored model that cannot be used.
  static func resolved(
    _ arguments: ParsedArguments, of definition: CommandDefinition
  ) throws(StoreError) -> ParsedArguments {
    var arguments = arguments
    if let operand = definition.operand, operand.accepted == .model {
      // Action words such as `check` take precedence over models of the same name.
      let hasAction = arguments.operands.first.map(operand.actions.contains) ?? false
      let first = hasAction ? 1 + operand.otherOperands : 0
      let models = arguments.operands.dropFirst(first)
      arguments.operands =
        try arguments.operands.prefix(first) + paths(models, orAnyWord: operand.takesOtherWords)
    }
    for option in definition.options where option.accepted == .model {
      guard let texts = arguments.texts[option.name] else { continue }
      arguments.texts[option.name] = try paths(texts)
    }
    return arguments
  }

  /// Returns the path of one model.
  ///
  /// - Throws: the errors of `resolved`.
  static func path(ofModel text: String) throws(StoreError) -> String {
    guard let path = try path(text) else { throw missing(text) }
    return path
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

  /// Returns the path of the named model: an existing file, or else a stored model.
  private static func path(_ text: String) throws(StoreError) -> String? {
    guard isName(text), !FileSystem.exists(text) else { return text }
    if let path = try storedPath(text) { return path }
    if let own = EmbeddedModel(rawValue: text) { return try? own.path }
    let (name, rest) = parts(text)
    guard !rest.isEmpty else { return nil }
    // In a comparison, `@exact` alone refers to the model of the other side.
    guard isName(name), !FileSystem.exists(name) else { return text }
    return try storedPath(name).map { $0 + rest }
  }

  /// Returns the path of a stored model; `nil` if there is none or the name is invalid.
  private static func storedPath(_ name: String) throws(StoreError) -> String? {
    do throws(StoreError) { return try store.localModel(name).path } catch {
      if [.notDownloaded, .malformed].contains(error.kind) { return nil }
      // An unreadable store is an error only if it records a model with this name.
      if error.kind == .fileFailed, !store.recordedNames().contains(name) { return nil }
      throw error
    }
  }

  /// Splits the suffix from `model@way` and `model#12`.
  private static func parts(_ text: String) -> (name: String, rest: String) {
    let mark = text.lastIndex { "@#".contains($0) } ?? text.endIndex
    return (String(text[..<mark]), String(text[mark...]))
  }

  /// Returns the path of a model for a command that also takes other words, if something is there.
  static func required(_ path: String) throws(StoreError) -> String {
    guard isName(path), !FileSystem.exists(path) else { return path }
    throw missing(path)
  }

  /// Makes the error about an unknown name, with advice.
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

  /// Returns whether the text is a possible name and not a path.
  private static func isName(_ text: String) -> Bool {
    !["", "-"].contains(text) && !text.contains("/") && !text.hasSuffix(".tflite")
  }
}
