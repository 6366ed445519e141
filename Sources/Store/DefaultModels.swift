import OcellusJSON
import OcellusPlatform

/// A task that has a default model, which is used where none is named.
public enum ModelRole: String, CaseIterable, Sendable {
  /// Finds objects in pictures.
  case detector
  /// Classifies whole pictures.
  case labeler
}

/// The model that a store names as the default for a role.
public enum DefaultModelChoice: Hashable, Sendable {
  /// The stored model with this name.
  case stored(name: String)
  /// The model that comes with the package.
  case packaged
}

/// The choice of default models, in the file `defaults.json` of the store's folder.
extension ModelStore {
  private static let longestChoices = 1 << 16
  private var choicesPath: String { options.folder + "/defaults.json" }

  /// Returns the chosen default for a role; `nil` if nobody has chosen one.
  ///
  /// - Throws: `damaged` if the file with the choices is none.
  public func defaultChoice(for role: ModelRole) throws(StoreError) -> DefaultModelChoice? {
    switch try choices()[role.rawValue] {
    case nil: return nil
    case .string(let name) where (try? ModelName(name)) != nil: return .stored(name: name)
    case .null: return .packaged
    default: throw damagedChoices
    }
  }

  /// Chooses the default for a role, for all programs that use this store.
  ///
  /// - Throws: an error if the store has no intact model with the chosen name.
  public func setDefault(_ choice: DefaultModelChoice, for role: ModelRole) throws(StoreError) {
    if case .stored(let name) = choice { _ = try localModel(name) }
    let value: JSONValue =
      switch choice {
      case .stored(let name): .string(name)
      case .packaged: .null
      }
    // A damaged file holds no choice that could be kept.
    let others = ((try? choices()) ?? [:]).members.filter { $0.name != role.rawValue }
    try write(JSONObject(others) + [role.rawValue: value])
  }

  /// Forgets the choice of models that are being removed.
  func forgetDefaults(_ names: [String]) throws(StoreError) {
    guard let members = try? choices().members else { return }
    let kept = members.filter { member in member.value.string.map(names.contains) != true }
    if kept.count < members.count { try write(JSONObject(kept)) }
  }

  private func choices() throws(StoreError) -> JSONObject {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.read(choicesPath, limit: Self.longestChoices)
    } catch {
      switch error.problem {
      case .system(ENOENT), .system(ENOTDIR): return [:]
      case .tooLarge: throw damagedChoices
      default: throw StoreError(error).advised(for: options.folder)
      }
    }
    guard let object = (try? JSONParser.parse(bytes))?.object else { throw damagedChoices }
    return object
  }

  private var damagedChoices: StoreError {
    StoreError(
      .damaged,
      "\(choicesPath) does not say which models are the defaults; "
        + "'ocellus models default NAME' or 'ocellus models default --own' mends it")
  }

  private func write(_ choices: JSONObject) throws(StoreError) {
    do throws(FileError) {
      try FileSystem.createDirectory(options.folder)
      try FileSystem.removeLink(choicesPath)
      try FileSystem.writeDurably(
        Array((JSONValue.object(choices).text + "\n").utf8), to: choicesPath)
    } catch {
      throw StoreError(error).advised(for: options.folder)
    }
  }
}
