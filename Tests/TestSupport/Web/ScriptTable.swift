import Synchronization

/// Scripts by their names.
final class ScriptTable: Sendable {
  typealias Script = @Sendable (ScriptedServer.Request) -> [ScriptedServer.Piece]

  private let scripts = Mutex<[String: Script]>([:])

  func set(_ name: String, _ script: @escaping Script) { scripts.withLock { $0[name] = script } }

  /// Returns the answer of the script that the second component of the path names.
  func answer(to request: ScriptedServer.Request) -> [ScriptedServer.Piece] {
    let name = request.target.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    let script = scripts.withLock { $0[name] }
    return script?(request) ?? .answer("404 Not Found")
  }
}
