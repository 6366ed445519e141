import OcellusJSON
import OcellusPlatform
import OcellusStore

/// What `ocellus models` does with a store, and says about it.
struct ModelsReport {
  let context: CommandContext
  let isJSON: Bool

  // MARK: Looking

  /// The public models and those that are here.
  func list(_ catalog: ModelCatalog, and store: ModelStore) throws {
    let stored = store.localModels()
    if isJSON {
      return try context.print([
        "models": .array(catalog.entries.map(\.json)), "stored": .array(stored.map(\.json)),
      ])
    }
    let here = Set(stored.map(\.name))
    var table = TextTable([
      .left("model"), .left("task"), .right("size"), .left("licence"), .left("here"),
      .left("what it does"),
    ])
    for entry in catalog.entries {
      table.add([
        entry.id, entry.task, entry.model.byteCount.byteText, entry.license,
        here.contains(entry.id) ? "yes" : "", entry.summary,
      ])
    }
    let others = stored.filter { model in !catalog.entries.contains { $0.id == model.name } }
    for model in others {
      table.add([model.name, "", model.byteCount.byteText, "", "yes", "version \(model.version)"])
    }
    try context.write(table.text().printable)
  }

  /// What a host offers.
  func list(offeredBy store: ModelStore) throws {
    let stored = store.localModels()
    guard let names = try store.offeredNames() else { return }
    if isJSON {
      return try context.print(["offered": .strings(names), "stored": .array(stored.map(\.json))])
    }
    var table = TextTable([.left("model"), .left("here")])
    for name in names {
      table.add([name, stored.first { $0.name == name }.map { "version \($0.version)" } ?? ""])
    }
    try context.write(table.text().printable)
  }

  /// A public model.
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
    try context.print(lines.joined(separator: "\n").printable)
  }

  /// A model that is here.
  func describe(_ stored: StoredModel) throws {
    if isJSON { return try context.print(["stored": stored.json]) }
    let lines = [
      "\(stored.name), version \(stored.version)", "size:    \(stored.byteCount.byteText)",
      "labels:  \(stored.labelsPath ?? "no file of their own")", "sha256:  \(stored.sha256)",
      "here:    \(stored.path)",
    ]
    try context.print(lines.joined(separator: "\n").printable)
  }

  // MARK: Changing

  /// Fetches models or brings them up to date; one that cannot be had does not keep the others.
  func pull(_ names: [String], from store: ModelStore) throws -> ExitCode {
    var results: [JSONValue] = []
    var code = ExitCode.success
    for name in names {
      let line = ProgressLine(in: context)
      let result = Result { () throws(StoreError) in
        try store.update(name) { line.show("\(name): \($0.text)".printable) }
      }
      line.clear()
      switch result {
      case .success(let model):
        results.append(model.json)
        if !isJSON {
          try context.print("\(name), version \(model.version): \(model.path)".printable)
        }
      case .failure(let error):
        code = .failure
        results.append(failure(name, error.message))
      }
    }
    if isJSON { try context.print(["pulled": .array(results)]) }
    return code
  }

  /// Looks at the files of models again, and runs them.
  func verify(_ names: [String], in store: ModelStore) throws -> ExitCode {
    let subjects = names.isEmpty ? store.recordedNames() : names
    var results: [JSONValue] = []
    var code = ExitCode.success
    for name in subjects {
      do {
        let model = try store.localModel(name)
        try store.options.selfTest.check(model)
        results.append(model.json)
        if !isJSON { try context.print("\(name), version \(model.version): fine".printable) }
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

  /// Takes models away.
  func remove(_ names: [String], from store: ModelStore) throws {
    for name in names {
      guard store.recordedNames().contains(name) else {
        throw StoreError(.notDownloaded, "there is no model '\(name)' here")
      }
      try store.remove(name)
    }
    if isJSON { return try context.print(["removed": .strings(names)]) }
    for name in names { try context.print("\(name): removed".printable) }
  }

  /// Writes the manifest of a folder into it.
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
    try context.print("\(path): \(names.count) models".printable)
  }
}

extension StoredModel {
  /// As results have it.
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "version": .string(version), "path": .string(path),
      "labels": .string(orNull: labelsPath), "sha256": .string(sha256),
      "bytes": .integer(byteCount),
    ]
  }
}

extension FetchProgress {
  /// In a few words, with a bar where there is something to draw.
  fileprivate var text: String {
    switch self {
    case .asking: return "asking the host"
    case .waiting: return "waiting for somebody else who fetches it"
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
