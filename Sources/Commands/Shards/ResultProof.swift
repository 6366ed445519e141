import OcellusAudit
import OcellusJSON
import OcellusPlatform

/// A result with a proof that it belongs to a root.
struct ResultProof {
  static let schema = "ocellus-result-proof"

  let record: JSONObject
  /// The index of the result among the sorted leaves, and their number.
  let index: Int
  let count: Int
  let path: [[UInt8]]

  init(record: JSONObject, index: Int, count: Int, path: [[UInt8]]) {
    self.record = record
    self.index = index
    self.count = count
    self.path = path
  }

  /// Reads a proof; returns `nil` if the object is not one.
  init?(_ json: JSONObject) {
    guard json["schema"]?.string == Self.schema, let record = json["result"]?.object,
      let index = json["index"]?.integer, let count = json["count"]?.integer,
      let path = json["path"]?.array?.compactMap({ $0.string.flatMap([UInt8].init(hexadecimal:)) }),
      path.count == json["path"]?.array?.count
    else { return nil }
    self.init(record: record, index: index, count: count, path: path)
  }

  var json: JSONValue {
    [
      "schema": .string(Self.schema), "schema_version": 1, "index": .integer(index),
      "count": .integer(count), "path": .array(path.map { .string($0.hexadecimal) }),
      "result": .object(record),
    ]
  }

  /// Returns the root that the result and the path lead to.
  ///
  /// - Throws: an error if the receipt does not match the result.
  func root() throws -> String? {
    guard let leaf = try ResultRecord(object: record, origin: "the proof").leaf() else {
      return nil
    }
    return MerkleTree.root(over: leaf, at: index, of: count, path: path)?.hexadecimal
  }
}
