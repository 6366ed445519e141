/// The bytes of a model, changed for one mutant at a time and restored in between.
///
/// A mutant thus costs only its changes, not a copy of the model.
package struct MutableModelBytes {
  private let original: [UInt8]
  package private(set) var bytes: [UInt8]
  private var changes: [Range<Int>] = []

  package init(_ original: [UInt8]) {
    self.original = original
    bytes = original
  }

  /// Applies the changes of a mutant to the original bytes.
  package mutating func apply(_ mutant: Mutant) {
    mend()
    for edit in mutant.edits {
      // A change may extend beyond the end of the file.
      let range = edit.position..<min(edit.position + edit.bytes.count, bytes.count)
      bytes.replaceSubrange(range, with: edit.bytes.prefix(range.count))
      changes.append(range)
    }
    if let length = mutant.length { bytes.removeLast(bytes.count - length) }
  }

  private mutating func mend() {
    bytes += original[bytes.count...]
    for range in changes { bytes.replaceSubrange(range, with: original[range]) }
    changes.removeAll(keepingCapacity: true)
  }
}
