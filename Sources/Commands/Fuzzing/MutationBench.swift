/// The bytes of a model, changed for one mutant after the other and mended in between: a mutant costs
/// what it changes, not a copy of the model.
struct MutationBench {
  private let original: [UInt8]
  private(set) var bytes: [UInt8]
  private var changes: [Range<Int>] = []

  init(_ original: [UInt8]) {
    self.original = original
    bytes = original
  }

  /// Makes the bytes those of the mutant.
  mutating func apply(_ mutant: Mutant) {
    mend()
    for edit in mutant.edits {
      // The last word of a file may be cut.
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
