import OcellusPlatform

/// A table from integers to strings or from strings to integers, filled once.
final class LookupTable {
  /// Bytes of a string in the table's own copy.
  private struct Text: Hashable {
    let bytes: UnsafeRawBufferPointer

    static func == (a: Text, b: Text) -> Bool {
      guard a.bytes.count == b.bytes.count else { return false }
      guard let left = a.bytes.baseAddress, let right = b.bytes.baseAddress else { return true }
      return memcmp(left, right, a.bytes.count) == 0
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }
  }

  /// What an entry of a dictionary takes, roughly: charged besides the strings themselves.
  private static let entryByteCount = 48

  let keyType: ElementType
  private var texts: [Int64: Text] = [:]
  private var integers: [Text: Int64] = [:]
  /// The strings that the dictionaries point into; `nil` until the table is filled.
  private var memory: MemoryBlock?

  init(keyType: ElementType) {
    self.keyType = keyType
  }

  /// The type of what the table gives for a key.
  var valueType: ElementType { keyType == .string ? .int64 : .string }

  var isFilled: Bool { memory != nil }

  var count: Int { keyType == .string ? integers.count : texts.count }

  /// The bytes of memory that a table of these strings wants.
  static func byteCount(of strings: StringTensor) -> Int {
    (0..<strings.count).reduce(0) { $0 + strings[$1].count + entryByteCount }
  }

  /// Takes keys and values, the first of several equal keys.
  ///
  /// - Precondition: there are as many strings as integers, and `memory` has the size that
  ///   `byteCount(of:)` gives.
  func fill(
    integers numbers: UnsafeMutableBufferPointer<Int64>, strings: StringTensor,
    memory: MemoryBlock
  ) {
    self.memory = memory
    var end = memory.base
    for (index, number) in numbers.enumerated() {
      let bytes = strings[index]
      let copy = UnsafeMutableRawBufferPointer(start: end, count: bytes.count)
      copy.copyMemory(from: bytes)
      end += bytes.count
      let text = Text(bytes: UnsafeRawBufferPointer(copy))
      if keyType == .string {
        if integers[text] == nil { integers[text] = number }
      } else if texts[number] == nil {
        texts[number] = text
      }
    }
  }

  subscript(key: Int64) -> UnsafeRawBufferPointer? { texts[key]?.bytes }

  subscript(key: UnsafeRawBufferPointer) -> Int64? { integers[Text(bytes: key)] }
}
