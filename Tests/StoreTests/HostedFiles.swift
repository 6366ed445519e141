import Foundation
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusStore

/// Models and manifests in a folder of the tests' web server.
final class HostedFiles {
  let server: WebServer
  /// The path of the folder in URLs.
  let path: String
  private let folder: String
  /// The lengths of all manifests that were offered.
  private var manifestLengths: Set<Int> = []

  init(_ server: WebServer, below parent: String = "") throws {
    self.server = server
    path = "\(parent)/\(UUID().uuidString)"
    folder = server.folder + path
    try FileSystem.createDirectory(folder)
  }

  /// Uses plain HTTP for Foundation, which trusts no authority but the system's.
  func manifestURL(_ transport: Transport) -> String {
    server.url("\(path)/manifest.json", isPlain: transport.isPlain)
  }

  /// Writes a file to the server and returns its entry for a manifest.
  @discardableResult func put(_ bytes: [UInt8], _ name: String) throws -> ManifestText.File {
    try FileSystem.write(bytes, to: "\(folder)/\(name)")
    return .init(
      url: name, sha256: SHA256.hash(bytes).hexadecimal, byteCount: bytes.count)
  }

  /// Writes a manifest with one model to the server.
  ///
  /// Each manifest gets a length of its own: nginx tells versions of a file apart by length and
  /// second.
  func offer(_ versions: [ManifestText.Version], name: String = "model") throws {
    var text = Array(ManifestText.text([(name, versions)]).utf8)
    while !manifestLengths.insert(text.count).inserted { text.append(UInt8(ascii: " ")) }
    try FileSystem.write(text, to: "\(folder)/manifest.json")
  }
}

/// Manifests in the form in which people write them.
enum ManifestText {
  struct File {
    var url: String
    var sha256: String
    var byteCount: Int

    var text: String { #"{"url": "\#(url)", "sha256": "\#(sha256)", "bytes": \#(byteCount)}"# }
  }

  struct Version {
    var version: String
    var file: File
    var labels: File?
    /// Further JSON members.
    var more = ""

    var text: String {
      let labels = labels.map { #", "labels": \#($0.text)"# } ?? ""
      return #"{"version": "\#(version)", "file": \#(file.text)\#(labels)\#(more)}"#
    }
  }

  static func text(_ models: [(name: String, versions: [Version])]) -> String {
    let models = models.map { name, versions in
      #"{"name": "\#(name)", "versions": [\#(versions.map(\.text).joined(separator: ", "))]}"#
    }
    return #"{"format": 1, "models": [\#(models.joined(separator: ", "))]}"#
  }
}

/// The two transports, which must behave the same.
enum Transport: String, CaseIterable, CustomTestStringConvertible {
  case curl, urlSession

  var testDescription: String { rawValue }

  /// Whether tests use plain HTTP, because the transport cannot be told to trust their authority.
  var isPlain: Bool { self == .urlSession }
}

/// A store with a temporary folder and short timeouts.
final class TestStore {
  let folder: TemporaryDirectory
  let transport: Transport
  var options: ModelStore.Options

  init(_ transport: Transport = .curl) throws {
    folder = try TemporaryDirectory()
    self.transport = transport
    options = ModelStore.Options(folder: folder.path)
    options.conditions.firstPause = .milliseconds(20)
    options.conditions.connectionTimeout = .seconds(5)
    options.conditions.idleTimeout = .seconds(5)
    options.conditions.totalTimeout = .seconds(30)
    options.selfTest = .none
  }

  func from(_ host: ModelHost) -> ModelStore {
    ModelStore(host, transport: TestTransport.transport(transport), options: options)
  }

  func from(_ manifestURL: String) throws -> ModelStore { from(try .manifest(manifestURL)) }

  func from(_ files: HostedFiles) throws -> ModelStore { try from(files.manifestURL(transport)) }

  /// The bytes of the model that the store returns without a host.
  func localBytes(_ name: String = "model") throws -> [UInt8] {
    try FileSystem.read(try from(.nothing).localModel(name).path)
  }
}

/// Random contents, which equal no other contents.
enum Noise {
  static func bytes(_ count: Int, seed: UInt64 = .random(in: 0...(.max))) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }
}
