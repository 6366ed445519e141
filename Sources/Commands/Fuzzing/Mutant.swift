/// A mutated copy of a model, stored as the list of its changes.
struct Mutant: Equatable {
  /// Bytes that replace others.
  struct Edit: Equatable {
    let position: Int
    let bytes: [UInt8]
    let purpose: String
  }

  /// The number of leading bytes that remain; `nil` for all.
  var length: Int?
  var edits: [Edit] = []

  /// A description of the changes.
  var description: String {
    var parts = edits.map { edit in
      let digits = edit.bytes.prefix(8).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      return "\(edit.purpose) at byte \(edit.position) = \(digits.joined(separator: " "))"
    }
    if let length { parts.append("cut to \(length) bytes") }
    return parts.joined(separator: ", ")
  }
}
