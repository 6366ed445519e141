/// The slots of a hash table whose entries are elsewhere, one behind the other: in each the number of an entry,
/// counted from 1, or 0 where there is none.
///
/// An entry whose slot is taken has the next empty one. What a key is, only its owner knows.
struct HashSlots {
  private let slots: UnsafeMutableBufferPointer<Int32>

  /// A power of two that is at least twice the number of entries: half of the slots stay empty.
  static func count(for entryCount: Int) -> Int {
    1 << (Int.bitWidth - entryCount.leadingZeroBitCount + 1)
  }

  /// Takes memory for as many slots as `count` gives, which is zero.
  init(_ slots: UnsafeMutableBufferPointer<Int32>) {
    self.slots = slots
  }

  /// The slot of a key, or the empty one where it would be.
  @inline(__always)
  func slot(hash: Int, _ isKey: (_ entry: Int) -> Bool) -> Int {
    var slot = hash & (slots.count - 1)
    while let entry = self[slot], !isKey(entry) { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  /// The entry of a slot; `nil` in an empty one.
  subscript(slot: Int) -> Int? {
    slots[slot] == 0 ? nil : Int(slots[slot]) - 1
  }

  /// Puts an entry into an empty slot.
  func put(_ entry: Int, in slot: Int) { slots[slot] = Int32(entry + 1) }
}
