import OcellusPlatform
import Synchronization

/// The models of a server by name; requests keep the one that they began with.
package final class ModelRegistry: Sendable {
  private struct State {
    /// What can be loaded, in the order of the command line.
    var specifications: [ModelSpecification]
    var loaded: [String: ServedModel] = [:]
    /// Why models cannot be loaded.
    var problems: [String: String] = [:]
  }

  private let settings: ServedModel.Settings
  private let state: Mutex<State>
  /// Only one thread loads at a time, so that two do not take memory for the same model.
  private let loading = Monitor(false)

  /// Loads all models.
  ///
  /// - Throws: what keeps one of them from being loaded.
  package init(
    _ specifications: [ModelSpecification], _ settings: ServedModel.Settings
  ) throws {
    self.settings = settings
    var names: Set<String> = []
    for specification in specifications {
      guard names.insert(specification.name).inserted else {
        throw ServerError(
          "-m: two models are called '\(specification.name)'; give one another name (NAME=MODEL)")
      }
    }
    state = Mutex(State(specifications: specifications))
    for specification in specifications {
      let model = try ServedModel(specification, settings)
      state.withLock { $0.loaded[model.name] = model }
    }
  }

  /// The loaded models, in the order of the command line.
  package var models: [ServedModel] {
    state.withLock { state in
      state.specifications.compactMap { state.loaded[$0.name] }
    }
  }

  /// The names of all models, and why those that are not loaded are not.
  package var index: [(name: String, isLoaded: Bool, reason: String)] {
    state.withLock { state in
      state.specifications.map {
        ($0.name, state.loaded[$0.name] != nil, state.problems[$0.name] ?? "")
      }
    }
  }

  /// Whether all models are there that should be.
  package var isReady: Bool { state.withLock { $0.problems.isEmpty && !$0.loaded.isEmpty } }

  /// Returns a loaded model.
  package func model(_ name: String) throws(HTTPError) -> ServedModel {
    let (found, names) = state.withLock { ($0.loaded[name], $0.loaded.keys.sorted()) }
    guard let found else {
      let others = names.isEmpty ? "no model is" : "there are: \(names.joined(separator: ", "))"
      throw HTTPError(404, "there is no model '\(name.prefix(100))' loaded; \(others)")
    }
    return found
  }

  /// Returns the first model that has a task.
  package func model(for task: String) throws(HTTPError) -> ServedModel {
    guard let found = models.first(where: { $0.task.name == task }) else {
      throw HTTPError(
        404, "no model of this server has the task '\(task)'; start it with -m NAME=MODEL")
    }
    return found
  }

  /// Loads a model, or loads it again; requests go to the old one until the new one is there.
  package func load(_ name: String) throws {
    let specification = state.withLock { $0.specifications.first { $0.name == name } }
    guard let specification else {
      throw HTTPError(
        404, "there is no model '\(name.prefix(100))'; the server was started without it")
    }
    loading.wait { $0 ? nil : ($0 = true) }
    defer { loading.change { $0 = false } }
    do {
      let model = try ServedModel(specification, settings)
      state.withLock { state in
        state.loaded[name] = model
        state.problems[name] = nil
      }
    } catch {
      state.withLock { if $0.loaded[name] == nil { $0.problems[name] = "\(error)" } }
      throw error
    }
  }

  /// Takes no more requests for a model; it is freed when those that it has are done.
  package func unload(_ name: String) throws(HTTPError) {
    guard state.withLock({ $0.loaded.removeValue(forKey: name) }) != nil else {
      throw HTTPError(404, "there is no model '\(name.prefix(100))' loaded")
    }
  }

  /// Loads all loaded models again; one that cannot be loaded stays as it was.
  ///
  /// - Returns: what went wrong, by name.
  package func reload() -> [(name: String, problem: String)] {
    state.withLock { $0.specifications.map(\.name) }.compactMap { name in
      do {
        try load(name)
        return nil
      } catch { return (name, "\(error)") }
    }
  }
}
