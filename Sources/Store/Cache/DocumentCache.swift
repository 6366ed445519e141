import OcellusJSON
import OcellusPlatform

/// A cache of manifests with their validators, for conditional requests.
struct DocumentCache: Sendable {
  let folder: String

  /// A document and its validator, the server's identifier (ETag) of this version.
  struct Kept {
    let bytes: [UInt8]
    let validator: String
  }

  private func path(of address: WebAddress) -> String {
    "\(folder)/\(SHA256.hash(Array(address.text.utf8)).hexadecimal).json"
  }

  /// Returns the cached document; `nil` if there is none or it cannot be read.
  func document(of address: WebAddress) -> Kept? {
    guard let bytes = try? FileSystem.read(path(of: address), limit: 4 * Manifest.longest),
      let object = (try? JSONParser.parse(bytes))?.object, let body = object["body"]?.string,
      let validator = object["validator"]?.string, Validator.isOne(validator)
    else { return nil }
    return Kept(bytes: Array(body.utf8), validator: validator)
  }

  /// Caches a document that has a validator; removes the cached one otherwise.
  func keep(_ bytes: [UInt8], validator: String?, of address: WebAddress) {
    guard let validator, let body = String(validating: bytes, as: UTF8.self) else {
      try? FileSystem.remove(path(of: address))
      return
    }
    let document: JSONValue = [
      "address": .string(address.description), "validator": .string(validator),
      "body": .string(body),
    ]
    try? FileSystem.createDirectory(folder)
    try? FileSystem.removeLink(path(of: address))
    try? FileSystem.write(Array(document.text.utf8), to: path(of: address))
  }
}
