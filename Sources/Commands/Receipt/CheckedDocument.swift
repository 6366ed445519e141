import OcellusAudit
import OcellusJSON
import OcellusPlatform

/// A file that `receipt check` can check.
enum CheckedDocument {
  case receipt(Receipt)
  /// A proof that `merge` wrote.
  case proof(ResultProof)

  /// The largest file that is read; a receipt takes about 300 bytes for each node that ran.
  private static let largest = 1 << 28

  /// Reads a file.
  ///
  /// - Throws: an error that says what the file is instead.
  init(path: String) throws {
    let bytes = try FileSystem.read(path, limit: Self.largest)
    let json: JSONValue
    do throws(JSONError) { json = try JSONParser.parse(bytes) } catch {
      let isModel = bytes.count >= 8 && bytes[4..<8].elementsEqual("TFL3".utf8)
      throw AuditError(
        isModel
          ? "\(path) is a model; the receipt comes first: receipt check RECEIPT MODEL"
          : "\(path) is no receipt: \(error)")
    }
    if let proof = json.object.flatMap({ ResultProof($0) }) {
      self = .proof(proof)
      return
    }
    do throws(AuditError) { self = .receipt(try Receipt(json)) } catch {
      throw AuditError("\(path): \(error)")
    }
  }

  /// The word for what a check needs besides the file.
  var complement: String {
    switch self {
    case .receipt: "a receipt is checked with its model: receipt check RECEIPT MODEL"
    case .proof: "a proof is checked with the root that 'merge' told: receipt check PROOF ROOT"
    }
  }
}
