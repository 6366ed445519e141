import OcellusAudit
import OcellusJSON
import OcellusPlatform

/// A result with all that is needed to see that it belongs to a root.
struct ResultProof {
  static let schema = "ocellus-result-proof"

  let record: JSONObject
  /// Which of the sorted leaves it is, and how many there are.
  let index: Int
  let count: Int
  let path: [[UInt8]]

  init(record: JSONObject, index: Int, count: Int, path: [[UInt8]]) {
    self.record = record
    self.index = index
    self.count = count
    self.path = path
  }

  /// Reads a proof; `nil` if this is none.
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

  /// The root that the result and the path lead to.
  ///
  /// - Throws: when the result is not what its receipt says.
  func root() throws -> String? {
    guard let leaf = try ResultRecord(object: record, origin: "the proof").leaf() else {
      return nil
    }
    return MerkleTree.root(over: leaf, at: index, of: count, path: path)?.hexadecimal
  }
}
