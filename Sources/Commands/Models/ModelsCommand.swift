import OcellusPlatform
import OcellusStore
import OcellusVision

/// `ocellus models`: manages the models that are stored on this machine.
struct ModelsCommand: Command {
  private static let from = Option<String?>.text(
    "from", "HOST", accepts: .file,
    help: """
      Where models come from: the address of a manifest, a folder, or with --sha256 the address of one \
      model file. Default: the catalogue of public models.
      """)
  private static let sha256 = Option<String?>.text(
    "sha256", "DIGEST", help: "The SHA-256 digest that the file behind --from must have.")
  private static let force = Option.flag(
    "force", help: "Replace an existing manifest.")
  private static let own = Option.flag(
    "own", help: "With default: use the package's own models again, and do not ask any more.")
  private static let json = Option.flag("json", help: "Print JSON instead of text.")

  static let definition = CommandDefinition(
    name: "models", summary: "Fetch models, keep them, and say what is there.",
    operand: OperandDefinition(
      "ACTION [NAME...]", count: 1...(.max),
      accepts: .words(ModelsAction.words),
      help:
        "list, pull, default, info, verify, remove, path or serve-manifest, and with which models"
    ),
    options: [
      from.definition, sha256.definition, own.definition, force.definition, json.definition,
    ],
    discussion: """
      pull fetches models or brings them up to date, and list shows what there is; a model that is here can \
      be named wherever a model is expected, as in -m NAME. A new version replaces the old one \
      only if its digest is right and it runs; otherwise the old one stays. verify checks the \
      files and runs the models, either all that are here or those that are named. path prints where a model is. \
      default makes a model, which it fetches if need be, the one that is used where none is named: by the \
      commands, by ObjectDetector() and ImageLabeler() in programs, and by ML Kit's names; whether it finds \
      objects or classifies pictures is seen from the model. Without a name it prints the defaults. For one \
      process, OCELLUS_DETECTOR and OCELLUS_LABELER name other ones, by path or name. \
      serve-manifest writes a manifest.json for the models in a folder, NAME.tflite or NAME@VERSION.tflite, \
      with which any web server can be their host.

      Models are kept in the folder that OCELLUS_STORE names, or ocellus/models where the user's caches are. \
      Web servers are asked through curl, which goes through the proxies that the environment names. A bearer \
      token for the host can be in OCELLUS_TOKEN.
      """,
    examples: [
      .init(arguments: "list", purpose: "What there is."),
      .init(
        arguments: "pull coco-ssd-mobilenet-v1",
        purpose: "Fetch a public model; then: ocellus detect photo.jpg -m coco-ssd-mobilenet-v1."),
      .init(
        arguments: "default coco-ssd-mobilenet-v1",
        purpose: "Fetch a public model and use it for photographs from now on."),
      .init(
        arguments: "pull flowers --from https://models.example.org/manifest.json",
        purpose: "Fetch one of your own, or its new version."),
      .init(arguments: "serve-manifest models/", purpose: "Make a folder fit to be hosted."),
    ])

  private let action: ModelsAction
  private let names: [String]
  private let hostText: String?
  private let digest: String?
  private let isForced: Bool
  private let wantsOwn: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let words = arguments.operands
    guard let action = ModelsAction(rawValue: words[0]) else {
      let hint = Suggestion.text(for: words[0], among: ModelsAction.words)
      throw UsageError("there is no '\(words[0])' for models\(hint)")
    }
    names = Array(words.dropFirst())
    guard action.nameCount.contains(names.count) else { throw UsageError(action.usage) }
    self.action = action
    hostText = try arguments[Self.from]
    digest = try arguments[Self.sha256]
    isForced = try arguments[Self.force]
    wantsOwn = try arguments[Self.own]
    isJSON = try arguments[Self.json]
    guard digest == nil || hostText != nil && names.count == 1 else {
      throw UsageError("--sha256 is about the one file behind --from, which gets one name")
    }
    guard !wantsOwn || action == .default && names.isEmpty else {
      throw UsageError("--own is for 'models default', without a name")
    }
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let report = ModelsReport(context: context, isJSON: isJSON)
    switch action {
    case .list where hostText != nil: try report.list(offeredBy: try store(names.first))
    case .list: try report.list(try catalog(), and: localStore)
    case .info: try info(names[0], report)
    case .pull: return try report.pull(names, from: try store(names[0]))
    case .default: try chooseDefault(report)
    case .verify: return try report.verify(names, in: localStore)
    case .path where isJSON: try report.describe(try localStore.localModel(names[0]))
    // Bytes that are not UTF-8 in directory names must reach other programs unchanged.
    case .path:
      let path = try localStore.localModel(names[0]).path
      try context.write((path + "\n").fileNameBytes, to: "-")
    case .remove: try report.remove(names, from: localStore)
    case .serveManifest: try report.writeManifest(of: names[0], isForced: isForced)
    }
    return .success
  }

  private func info(_ name: String, _ report: ModelsReport) throws {
    let stored = try storedModel(name)
    if let entry = try catalog().entries.first(where: { $0.id == name }) {
      try report.describe(entry, stored: stored)
    } else if let stored {
      try report.describe(stored)
    } else {
      let names = try catalog().entries.map(\.id) + localStore.localModels().map(\.name)
      let hint = Suggestion.text(for: name, among: names)
      throw UsageError(
        "there is no model '\(name)', neither here nor in the catalogue\(hint)", command: "models")
    }
  }

  /// Chooses a default model, which is fetched if it is not here, and reports the choices.
  private func chooseDefault(_ report: ModelsReport) throws {
    if wantsOwn {
      for role in ModelRole.allCases { try localStore.setDefault(.packaged, for: role) }
    } else if let name = names.first {
      let stored = try hostText == nil ? storedModel(name) : nil
      let model = try stored ?? report.fetch(name, from: try store(name))
      try localStore.setDefault(.stored(name: name), for: try ModelRole(ofModelAt: model.path))
    }
    try report.describeDefaults(of: localStore)
  }

  /// Returns the stored model with a name, or `nil` if there is none.
  ///
  /// - Throws: an error if the stored model is damaged.
  private func storedModel(_ name: String) throws(StoreError) -> StoredModel? {
    do throws(StoreError) { return try localStore.localModel(name) } catch {
      if error.kind == .notDownloaded { return nil }
      throw error
    }
  }

  // MARK: Hosts

  private func catalog() throws -> ModelCatalog {
    try ModelCatalog(path: EmbeddedModel.catalogPath)
  }

  /// A store without a host, which only finds stored models.
  private var localStore: ModelStore { ModelStore(.nothing) }

  private func store(_ name: String?) throws -> ModelStore { ModelStore(try host(name)) }

  private func host(_ name: String?) throws -> ModelHost {
    guard let hostText else { return .catalog(try catalog()) }
    let token = ProcessEnvironment.value(of: "OCELLUS_TOKEN").map { token in
      { @Sendable in token }
    }
    guard hostText.contains("://") else { return .folder(hostText) }
    guard let digest, let name else { return try .manifest(hostText, token: token) }
    return try .file(hostText, name: name, sha256: digest, token: token)
  }
}

/// The actions of `ocellus models`.
enum ModelsAction: String, CaseIterable {
  case list, pull, `default`, info, verify, remove, path
  case serveManifest = "serve-manifest"

  static var words: [String] { allCases.map(\.rawValue) }

  /// The permitted number of names.
  var nameCount: ClosedRange<Int> {
    switch self {
    case .list: 0...0
    case .default: 0...1
    case .verify: 0...(.max)
    case .pull, .remove: 1...(.max)
    case .info, .path, .serveManifest: 1...1
    }
  }

  /// The correct usage, for error messages.
  var usage: String {
    switch self {
    case .list: "'models list' takes no names"
    case .default: "say 'models default', 'models default NAME' or 'models default --own'"
    case .verify: "say 'models verify', or 'models verify NAME...'"
    case .pull, .remove: "say 'models \(rawValue) NAME...'"
    case .info, .path: "say 'models \(rawValue) NAME'"
    case .serveManifest: "say 'models serve-manifest FOLDER'"
    }
  }
}
