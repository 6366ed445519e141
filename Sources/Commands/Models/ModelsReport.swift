import OcellusJSON
import OcellusPlatform
import OcellusStore

/// The actions of `ocellus models` on a store, and their output.
struct ModelsReport {
  let context: CommandContext
  let isJSON: Bool

  // MARK: Listing

  /// Lists the public models and the stored models.
  func list(_ catalog: ModelCatalog, and store: ModelStore) throws {
    let stored = try storedModels(in: store)
    if isJSON {
      return try context.print([
        "models": .array(catalog.entries.map(\.json)), "stored": .array(stored.whole.map(\.json)),
        "damaged": .strings(stored.damaged),
      ])
    }
    var table = TextTable([
      .left("model"), .left("task"), .right("size"), .left("licence"), .left("here"),
      .left("what it does"),
    ])
    for entry in catalog.entries {
      table.add([
        entry.id, entry.task, entry.model.byteCount.byteText, entry.license,
        stored.states[entry.id].map { $0 == .damaged ? "damaged" : "yes" } ?? "", entry.summary,
      ])
    }
    let known = Set(catalog.entries.map(\.id))
    for model in stored.whole where !known.contains(model.name) {
      table.add([model.name, "", model.byteCount.byteText, "", "yes", "version \(model.version)"])
    }
    for name in stored.damaged where !known.contains(name) {
      table.add([name, "", "", "", "damaged", ""])
    }
    try context.write(table.text())
  }

  /// Lists the models that a host offers.
  func list(offeredBy store: ModelStore) throws {
    let stored = try storedModels(in: store)
    guard let names = try store.offeredNames() else { return }
    if isJSON {
      return try context.print([
        "offered": .strings(names), "stored": .array(stored.whole.map(\.json)),
        "damaged": .strings(stored.damaged),
      ])
    }
    var table = TextTable([.left("model"), .left("here")])
    for name in names { table.add([name, stored.states[name]?.text ?? ""]) }
    try context.write(table.text())
  }

  /// The stored models by name.
  private struct StoredModels {
    enum State: Equatable {
      case version(String)
      case damaged

      var text: String {
        switch self {
        case .version(let version): "version \(version)"
        case .damaged: "damaged"
        }
      }
    }

    var whole: [StoredModel] = []
    var damaged: [String] = []
    var states: [String: State] = [:]
  }

  /// Checks all stored models and reports those that are damaged.
  private func storedModels(in store: ModelStore) throws -> StoredModels {
    if let obstacle = store.obstacle { throw obstacle }
    var models = StoredModels()
    for name in store.recordedNames() {
      do throws(StoreError) {
        let model = try store.localModel(name)
        models.whole.append(model)
        models.states[name] = .version(model.version)
      } catch {
        // A record without a version only lists downloads that must not be repeated.
        if error.kind == .notDownloaded { continue }
        models.damaged.append(name)
        models.states[name] = .damaged
        context.complain(error.message)
      }
    }
    return models
  }

  /// Describes a public model.
  func describe(_ entry: ModelCatalog.Entry, stored: StoredModel?) throws {
    if isJSON {
      guard let stored, let object = entry.json.object else { return try context.print(entry.json) }
      return try context.print(.object(object + ["stored": stored.json]))
    }
    var lines = [
      "\(entry.name): \(entry.summary)", "task:    \(entry.task)",
      "size:    \(entry.model.byteCount.byteText)", "licence: \(entry.license)",
      "labels:  \(entry.labelsNote ?? "a file of their own")", "from:    \(entry.model.url)",
      "sha256:  \(entry.model.sha256)",
    ]
    lines.append(
      stored.map { "here:    \($0.path)" } ?? "fetch it: ocellus models pull \(entry.id)")
    for line in lines { try context.print(line) }
  }

  /// Describes a stored model.
  func describe(_ stored: StoredModel) throws {
    if isJSON { return try context.print(["stored": stored.json]) }
    let lines = [
      "\(stored.name), version \(stored.version)", "size:    \(stored.byteCount.byteText)",
      "labels:  \(stored.labelsPath ?? "no file of their own")", "sha256:  \(stored.sha256)",
      "here:    \(stored.path)",
    ]
    for line in lines { try context.print(line) }
  }

  // MARK: Changing

  /// Downloads or updates models; a failure is reported and does not stop the others.
  func pull(_ names: [String], from store: ModelStore) throws -> ExitCode {
    var results: [JSONValue] = []
    var failures = 0
    for name in names {
      let result = Result { () throws(StoreError) in try fetch(name, from: store) }
      switch result {
      case .success(let model):
        results.append(model.json)
        if !isJSON {
          try context.print("\(name), version \(model.version): \(model.path)")
        }
      case .failure(let error):
        failures += 1
        results.append(failure(name, error.message))
      }
    }
    if isJSON { try context.print(["pulled": .array(results)]) }
    return .finished(failures: failures, of: names.count)
  }

  /// Downloads or updates a model, with a progress line.
  func fetch(_ name: String, from store: ModelStore) throws(StoreError) -> StoredModel {
    let line = ProgressLine(in: context)
    defer { line.clear() }
    return try store.update(name) { line.show("\(name): \($0.text)") }
  }

  /// Describes the chosen defaults.
  func describeDefaults(of store: ModelStore) throws {
    var choices: [(role: ModelRole, name: String?)] = []
    for role in ModelRole.allCases {
      guard case .stored(let name) = try store.defaultChoice(for: role) else {
        choices.append((role, nil))
        continue
      }
      choices.append((role, name))
    }
    if isJSON {
      let members = choices.map {
        JSONObject.Member(name: $0.role.rawValue, value: .string(orNull: $0.name))
      }
      return try context.print(["defaults": .object(JSONObject(members))])
    }
    for (role, name) in choices {
      let text = name ?? "the package's own model, which knows drawn scenes only"
      try context.print("\(role.rawValue): \(text)")
    }
  }

  /// Verifies the files of models and runs the models.
  func verify(_ names: [String], in store: ModelStore) throws -> ExitCode {
    if let obstacle = store.obstacle { throw obstacle }
    let subjects = names.isEmpty ? store.recordedNames() : names
    var results: [JSONValue] = []
    var code = ExitCode.success
    for name in subjects {
      do {
        let model = try store.newestLocalModel(name)
        try store.options.selfTest.check(model)
        results.append(model.json)
        if !isJSON { try context.print("\(name), version \(model.version): fine") }
      } catch {
        code = .failure
        results.append(failure(name, "\(error)"))
      }
    }
    if isJSON { try context.print(["verified": .array(results)]) }
    return code
  }

  private func failure(_ name: String, _ message: String) -> JSONValue {
    context.complain("\(name): \(message)")
    return ["name": .string(name), "error": .string(message)]
  }

  /// Removes models.
  func remove(_ names: [String], from store: ModelStore) throws {
    let known = Set(store.recordedNames())
    for name in names where !known.contains(name) {
      let hint = Suggestion.text(for: name, among: known.sorted())
      throw StoreError(
        .notDownloaded, "there is no model '\(name)' here\(hint); nothing was removed")
    }
    if let remark = try store.remove(names) { context.complain("warning: \(remark.message)") }
    if isJSON { return try context.print(["removed": .strings(names)]) }
    for name in names { try context.print("\(name): removed") }
  }

  /// Writes the manifest of a directory into it.
  func writeManifest(of folder: String, isForced: Bool) throws {
    let path = (folder.hasSuffix("/") ? String(folder.dropLast()) : folder) + "/manifest.json"
    guard isForced || !FileSystem.exists(path) else {
      throw UsageError(
        "\(path) is there already, perhaps with rollouts that somebody wrote; --force replaces it")
    }
    let manifest = try ModelFolder(folder).manifestDocument()
    try FileSystem.write(Array((manifest.text + "\n").utf8), to: path)
    let names = manifest.object?["models"]?.array?.compactMap { $0.object?["name"]?.string } ?? []
    if isJSON { return try context.print(["manifest": .string(path), "offered": .strings(names)]) }
    try context.print("\(path): \(names.count) models")
  }
}

extension StoredModel {
  /// The model as JSON.
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "version": .string(version), "path": .string(path),
      "labels": .string(orNull: labelsPath), "sha256": .string(sha256),
      "bytes": .integer(byteCount),
    ]
  }
}

extension FetchProgress {
  /// A short description, with a progress bar if the total is known.
  fileprivate var text: String {
    switch self {
    case .asking: return "asking the host"
    case .waiting: return "waiting for another process that is fetching it"
    case .testing: return "testing"
    case .downloading(let received, let total?) where total > 0:
      let share = min(1, Double(received) / Double(total))
      let filled = Int(share * 24)
      let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 24 - filled)
      return "[\(bar)] \(received.byteText) of \(total.byteText)"
    case .downloading(let received, _): return received.byteText
    }
  }
}
