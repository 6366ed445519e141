import OcellusPlatform

/// A table from integers to strings or from strings to integers, which is filled once.
final class LookupTable {
  let keyType: ElementType
  /// `nil` until the table is filled.
  private var entries: TableEntries?

  init(keyType: ElementType) {
    self.keyType = keyType
  }

  /// The type of the table's values.
  var valueType: ElementType { keyType == .string ? .int64 : .string }

  var isFilled: Bool { entries != nil }

  var count: Int { entries?.count ?? 0 }

  /// Stores keys and values; of several equal keys the first wins.
  ///
  /// If the run is stopped, the table stays as it was.
  ///
  /// - Precondition: there are as many strings as integers.
  func fill(
    integers: UnsafeMutableBufferPointer<Int64>, strings: StringTensor, _ context: RunContext
  ) throws(ModelError) {
    let byteCount = TableEntries.byteCount(of: strings, context.control)
    try context.checkpoint()
    var entries = TableEntries(
      count: strings.count, in: try context.makeBlock(byteCount: byteCount), context.control)
    entries.fill(integers: integers, strings: strings, isKeyedByStrings: keyType == .string)
    try context.checkpoint()
    self.entries = entries
  }

  subscript(key: Int64) -> UnsafeRawBufferPointer? { entries?.string(of: key) }

  subscript(key: UnsafeRawBufferPointer) -> Int64? { entries?.integer(of: key) }
}

/// Pairs of an integer and a string, with a hash table over one of the two.
///
/// All of it is in memory that the budget is charged for.
private struct TableEntries {
  private let memory: MemoryBlock
  private let control: RunControl
  private let integers: UnsafeMutablePointer<Int64>
  /// For each string, its end in `characters`, where the next one begins.
  private let ends: UnsafeMutablePointer<Int64>
  private let slots: HashSlots
  private let characters: UnsafeMutableRawPointer
  private(set) var count = 0

  /// Returns the number of bytes that a table of these strings takes.
  static func byteCount(of strings: StringTensor, _ control: RunControl) -> Int {
    var byteCount = strings.count * 16 + HashSlots.count(for: strings.count) * 4
    for chunk in StoppableChunks(of: strings.count, control) {
      for index in chunk { byteCount += strings[index].count }
    }
    return byteCount
  }

  /// Takes over zeroed memory of the size that `byteCount` returns.
  init(count: Int, in memory: MemoryBlock, _ control: RunControl) {
    self.memory = memory
    self.control = control
    let slotCount = HashSlots.count(for: count)
    integers = memory.base.bindMemory(to: Int64.self, capacity: count)
    ends = (memory.base + count * 8).bindMemory(to: Int64.self, capacity: count)
    let slots = (memory.base + count * 16).bindMemory(to: Int32.self, capacity: slotCount)
    self.slots = HashSlots(UnsafeMutableBufferPointer(start: slots, count: slotCount))
    characters = memory.base + count * 16 + slotCount * 4
  }

  // MARK: Filling

  mutating func fill(
    integers numbers: UnsafeMutableBufferPointer<Int64>, strings: StringTensor,
    isKeyedByStrings: Bool
  ) {
    var work = StoppableWork(control)
    for index in numbers.indices {
      let string = strings[index]
      if work.isOver(after: 32 + string.count / 4) { return }
      let slot = isKeyedByStrings ? self.slot(of: string) : self.slot(of: numbers[index])
      if slots[slot] == nil { append(numbers[index], string, slot) }
    }
  }

  private mutating func append(_ integer: Int64, _ string: UnsafeRawBufferPointer, _ slot: Int) {
    let start = count == 0 ? 0 : ends[count - 1]
    integers[count] = integer
    ends[count] = start + Int64(string.count)
    if let source = string.baseAddress {
      (characters + Int(start)).copyMemory(
        from: source, byteCount: string.count, unless: control.isOver)
    }
    slots.put(count, in: slot)
    count += 1
  }

  // MARK: Finding

  func string(of key: Int64) -> UnsafeRawBufferPointer? {
    slots[slot(of: key)].map { string($0) }
  }

  func integer(of key: UnsafeRawBufferPointer) -> Int64? {
    slots[slot(of: key)].map { integers[$0] }
  }

  private func string(_ entry: Int) -> UnsafeRawBufferPointer {
    let start = entry == 0 ? 0 : Int(ends[entry - 1])
    return UnsafeRawBufferPointer(start: characters + start, count: Int(ends[entry]) - start)
  }

  /// Returns the slot of a key, or the empty slot where the key would be stored.
  private func slot(of key: Int64) -> Int {
    // Hashes differ from process to process, so that no file can choose keys that collide.
    slots.slot(hash: key.hashValue) { integers[$0] == key }
  }

  private func slot(of key: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(key.count)
    for chunk in StoppableChunks(ofBytes: key.count, control) {
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: key[chunk]))
    }
    return slots.slot(hash: hasher.finalize()) { areEqual(string($0), key) }
  }

  private func areEqual(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Bool {
    guard first.count == second.count else { return false }
    for chunk in StoppableChunks(ofBytes: first.count, control) {
      guard let left = first.baseAddress, let right = second.baseAddress else { return true }
      guard memcmp(left + chunk.lowerBound, right + chunk.lowerBound, chunk.count) == 0 else {
        return false
      }
    }
    return true
  }
}
