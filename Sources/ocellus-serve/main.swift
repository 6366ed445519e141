import OcellusCommands
import OcellusJSON
import OcellusPlatform
import OcellusServer

Program.main { settings, tell in
  let understood: ServerProgram.Settings
  do { understood = try ServerProgram.Settings(settings) } catch let error as ServerError {
    throw ServeUsageError("\(error)")
  }
  try ServerProgram.run(understood, tell: tell)
}

extension ServerProgram.Settings {
  /// Takes the settings of a command line.
  fileprivate init(_ settings: ServeSettings) throws {
    guard let address = ListenAddress(settings.address) else {
      throw ServerError(
        "--listen wants ADDRESS:PORT, [ADDRESS]:PORT or unix:PATH, not '\(settings.address)'")
    }
    var limits = ServerLimits()
    limits.bodyBytes = settings.limits.bodyMebibytes << 20
    limits.allBodyBytes = max(limits.allBodyBytes, 2 * limits.bodyBytes)
    limits.megapixels = settings.limits.megapixels
    limits.waitingRequests = settings.limits.waitingRequests
    limits.requestTime = .seconds(settings.limits.requestSeconds)
    limits.connections = settings.limits.connections
    limits.drainTime = .seconds(settings.limits.drainSeconds)
    var service = Service.Configuration()
    service.limits = limits
    service.token = try settings.tokenPath.map { try Self.token(in: $0) }
    service.allowsControl = settings.allowsControl
    service.version = settings.version
    service.signature = { settings.signature(of: $0) }
    self.init(
      models: try settings.models.map { text throws(ServerError) in try ModelSpecification(text) },
      loading: .init(
        resolve: { try settings.path(of: $0) }, describe: { settings.description(of: $0) },
        readPreparation: { try settings.pictureInput($0) }, budget: settings.budget,
        viewers: settings.viewers, limits: limits),
      address: address, service: service, log: settings.log.flatMap { AccessLog.Form(rawValue: $0) }
    )
  }

  /// Reads the first line of a file.
  private static func token(in path: String) throws -> String {
    let bytes = try FileSystem.read(path, limit: 64 << 10)
    let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first
    guard let line, !line.isEmpty else {
      throw ServerError("--token-file \(path): the file is empty")
    }
    return String(line)
  }
}
