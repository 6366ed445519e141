import Foundation
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusStore

/// Models and manifests on the web server of the tests, in a folder of their own.
final class HostedFiles {
  let server: WebServer
  /// The folder's path in addresses.
  let path: String
  private let folder: String
  /// Of the manifests that were there.
  private var manifestLengths: Set<Int> = []

  init(_ server: WebServer, below parent: String = "") throws {
    self.server = server
    path = "\(parent)/\(UUID().uuidString)"
    folder = server.folder + path
    try FileSystem.createDirectory(folder)
  }

  /// Foundation trusts the system's authorities and no others, so it gets what needs none.
  func manifestURL(_ transport: Transport) -> String {
    server.url("\(path)/manifest.json", isPlain: transport.isPlain)
  }

  /// Puts a file there; how a manifest speaks of it.
  @discardableResult func put(_ bytes: [UInt8], _ name: String) throws -> ManifestText.File {
    try FileSystem.write(bytes, to: "\(folder)/\(name)")
    return .init(
      url: name, sha256: SHA256.hash(bytes).hexadecimal, byteCount: bytes.count)
  }

  /// Puts a manifest with one model there, of another length than all before: nginx tells files apart by their
  /// lengths and times, and those by seconds.
  func offer(_ versions: [ManifestText.Version], name: String = "model") throws {
    var text = Array(ManifestText.text([(name, versions)]).utf8)
    while !manifestLengths.insert(text.count).inserted { text.append(UInt8(ascii: " ")) }
    try FileSystem.write(text, to: "\(folder)/manifest.json")
  }
}

/// Manifests as people write them.
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
    /// Further members.
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

/// The ways to ask servers, all of which must behave the same.
enum Transport: String, CaseIterable, CustomTestStringConvertible {
  case curl, urlSession

  var testDescription: String { rawValue }

  /// Whether it is tried without TLS, since it cannot be told to trust the tests' authority.
  var isPlain: Bool { self == .urlSession }
}

/// A store in a folder of its own, quick to give up.
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

  /// The bytes of what a store without a host has.
  func localBytes(_ name: String = "model") throws -> [UInt8] {
    try FileSystem.read(try from(.nothing).localModel(name).path)
  }
}

/// Contents that look like nothing else.
enum Noise {
  static func bytes(_ count: Int, seed: UInt64 = .random(in: 0...(.max))) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }
}
