import OcellusEmbeddedModels
import OcellusPlatform
package import OcellusStore

/// The model that is used where none is named, and what chose it.
package struct DefaultModel: Sendable {
  /// The path of the model's file or folder; `nil` for the one that is embedded in the program.
  package let path: String?
  /// Whether somebody chose the model, even if it is the package's own.
  package let isChosen: Bool
  /// What the model was chosen by, for the explanation.
  private let source: String
  /// The name of the model, for the explanation.
  private let name: String
  /// The package's model of the same kind.
  private let model: EmbeddedModel
  /// The stored model, whose files stay as long as this value exists.
  private let stored: StoredModel?

  /// Finds the default of a kind.
  ///
  /// - Throws: `VisionError.unreadable` if a model was chosen that is not there.
  package init(_ model: EmbeddedModel) throws(VisionError) {
    if let path = model.path(in: EmbeddedModel.folder) {
      self.init(model, at: path, from: "EmbeddedModel.folder")
    } else if let choice = ProcessEnvironment.value(of: model.variable) {
      try self.init(model, named: choice)
    } else if let path = model.path(in: EmbeddedModel.environmentFolder) {
      self.init(model, at: path, from: "OCELLUS_MODELS")
    } else {
      try self.init(model, in: ModelStore(.nothing))
    }
  }

  private init(
    _ model: EmbeddedModel, at path: String?, from source: String, name: String? = nil,
    stored: StoredModel? = nil, isChosen: Bool = true
  ) {
    self.path = path
    self.isChosen = isChosen
    self.source = source
    self.name = name ?? path ?? model.rawValue
    self.model = model
    self.stored = stored
  }

  /// Finds the model that the environment names, by its path or by its name in the store.
  private init(_ model: EmbeddedModel, named choice: String) throws(VisionError) {
    if choice.contains("/") || FileSystem.exists(choice) {
      guard FileSystem.isReadable(choice) else {
        throw .unreadable("\(model.variable) names '\(choice)', which cannot be read")
      }
      self.init(model, at: choice, from: model.variable)
      return
    }
    do throws(StoreError) {
      let stored = try ModelStore(.nothing).localModel(choice)
      self.init(model, at: stored.path, from: model.variable, name: choice, stored: stored)
    } catch {
      throw .unreadable("\(model.variable) names '\(choice)': \(error.message)")
    }
  }

  /// Finds the default of the store, or else the package's own model.
  private init(_ model: EmbeddedModel, in store: ModelStore) throws(VisionError) {
    do throws(StoreError) {
      switch try store.defaultChoice(for: model.role) {
      case .stored(let name):
        let stored = try store.localModel(name)
        self.init(
          model, at: stored.path, from: "'ocellus models default'", name: name, stored: stored)
      case .packaged: self.init(model, at: nil, from: "'ocellus models default'")
      case nil: self.init(model, at: nil, from: "the package", isChosen: false)
      }
    } catch {
      throw .unreadable(
        "the default \(model.role.rawValue) cannot be used: \(error.message); "
          + "'ocellus models default NAME' chooses another")
    }
  }

  /// The warning about the package's own model; `nil` for other models.
  package var warning: String? {
    guard isOwn else { return nil }
    return
      "no model was named, and the package's own, \(model.rawValue), knows drawn scenes only: "
      + "what it says about photographs is wrong; 'ocellus models default "
      + "\(model.publicModelName)' fetches a model for photographs and makes it the default, and "
      + "-m names a model for once"
  }

  /// Whether this is the package's own model, wherever its file lies.
  private var isOwn: Bool {
    guard let path else { return true }
    let bytes = model.bytes
    guard let file = try? ModelPackage(path: path).modelPath,
      FileSystem.byteCount(of: file) == bytes.count
    else { return false }
    return (try? FileSystem.read(file)) == bytes
  }

  func explain(in explanation: inout Explanation) {
    explanation.add("model", name, from: source)
    if let warning { explanation.warn(warning) }
  }
}

extension EmbeddedModel {
  /// The role of the model in a store.
  package var role: ModelRole {
    switch self {
    case .detector: .detector
    case .labeler: .labeler
    }
  }

  /// The name of the public model, in the package's catalogue, that does the same for photographs.
  package var publicModelName: String {
    switch self {
    case .detector: "coco-ssd-mobilenet-v1"
    case .labeler: "mobilenet-v1-0.25"
    }
  }

  /// The environment variable that names another default.
  fileprivate var variable: String {
    switch self {
    case .detector: "OCELLUS_DETECTOR"
    case .labeler: "OCELLUS_LABELER"
    }
  }

  fileprivate var bytes: [UInt8] {
    switch self {
    case .detector: EmbeddedBytes.detector
    case .labeler: EmbeddedBytes.labeler
    }
  }

  fileprivate func path(in folder: String?) -> String? {
    guard let folder, !folder.isEmpty else { return nil }
    return try? Self.path(of: rawValue, in: [folder])
  }
}
