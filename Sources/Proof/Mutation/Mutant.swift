/// A mutated copy of a model, stored as the list of its changes.
package struct Mutant: Equatable {
  /// Bytes that replace others.
  package struct Edit: Equatable {
    let position: Int
    let bytes: [UInt8]
    let purpose: String
  }

  /// The number of leading bytes that remain; `nil` for all.
  package let length: Int?
  var edits: [Edit] = []

  /// Makes a copy that is at most cut off.
  package init(length: Int? = nil) { self.length = length }

  /// A description of the changes.
  package var description: String {
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
