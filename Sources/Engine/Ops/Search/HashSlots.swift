/// The slots of a hash table with linear probing, whose entries are stored elsewhere.
///
/// Each slot has the number of an entry, counted from 1, or 0 if it is empty. Only the owner knows
/// the keys of entries.
struct HashSlots {
  private let slots: UnsafeMutableBufferPointer<Int32>

  /// Returns the number of slots: a power of two that is more than twice the number of entries.
  static func count(for entryCount: Int) -> Int {
    1 << (Int.bitWidth - entryCount.leadingZeroBitCount + 1)
  }

  /// Makes a table in zeroed memory for as many slots as `count` returns.
  init(_ slots: UnsafeMutableBufferPointer<Int32>) {
    self.slots = slots
  }

  /// Returns the slot of a key, or the empty slot where the key would be.
  @inline(__always)
  func slot(hash: Int, _ isKey: (_ entry: Int) -> Bool) -> Int {
    var slot = hash & (slots.count - 1)
    while let entry = self[slot], !isKey(entry) { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  /// The entry in a slot; `nil` if the slot is empty.
  subscript(slot: Int) -> Int? {
    slots[slot] == 0 ? nil : Int(slots[slot]) - 1
  }

  /// Puts an entry into an empty slot.
  func put(_ entry: Int, in slot: Int) { slots[slot] = Int32(entry + 1) }
}
