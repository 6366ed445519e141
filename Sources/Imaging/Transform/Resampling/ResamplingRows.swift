/// A cache of the latest source rows that the filter across rows needs.
///
/// Rows are identified by their index among the needed rows, because some filters skip rows.
final class ResamplingRows {
  /// The row number in the source for each index.
  private let numbers: [Int]
  /// The index for each row number of the source; -1 for rows that are not needed.
  private let indices: [Int]
  private let batch: Int
  /// The index of the row in each slot; `keptRows` has the address of its pixels.
  private let kept: UnsafeMutablePointer<Int>
  private let keptRows: UnsafeMutablePointer<UnsafeRawPointer>
  private let slotCount: Int
  private let memory: UnsafeMutableRawPointer
  private let slotBytes: Int
  private let bufferBytes: Int
  /// The input pointers of a batch of rows.
  let inputs: UnsafeMutablePointer<UnsafeRawPointer>
  /// The slots of the batch.
  let outputs: UnsafeMutablePointer<UnsafeMutableRawPointer>

  /// Prepares for a filter across `height` rows that reads `batch` rows together.
  init(_ filter: AxisFilter, height: Int, slotBytes: Int, bufferBytes: Int, batch: Int) {
    var indices = Array(repeating: -1, count: height)
    for output in 0..<filter.count {
      for tap in 0..<filter.taps {
        indices[min(max(Int(filter.firsts[output]) + tap, 0), height - 1)] = 0
      }
    }
    var numbers: [Int] = []
    for row in 0..<height where indices[row] == 0 {
      indices[row] = numbers.count
      numbers.append(row)
    }
    self.indices = indices
    self.numbers = numbers
    self.batch = batch
    self.slotBytes = (slotBytes + 63) / 64 * 64
    self.bufferBytes = (bufferBytes + 63) / 64 * 64
    // A batch must not overwrite rows that the current output row still needs.
    slotCount = filter.taps + batch - 1
    memory = .allocate(
      byteCount: slotCount * self.slotBytes + batch * self.bufferBytes, alignment: 64)
    kept = .allocate(capacity: slotCount)
    kept.initialize(repeating: -1, count: slotCount)
    keptRows = .allocate(capacity: slotCount)
    keptRows.initialize(repeating: UnsafeRawPointer(memory), count: slotCount)
    inputs = .allocate(capacity: batch)
    outputs = .allocate(capacity: batch)
  }

  deinit {
    memory.deallocate()
    kept.deallocate()
    keptRows.deallocate()
    inputs.deallocate()
    outputs.deallocate()
  }

  func forget() {
    kept.update(repeating: -1, count: slotCount)
  }

  /// Returns the row number in the source for an index.
  func number(_ index: Int) -> Int { numbers[index] }

  /// Returns the memory of the slot for an index.
  func slot(_ index: Int) -> UnsafeMutableRawPointer { memory + index % slotCount * slotBytes }

  /// Returns memory for an unfiltered row of the current batch.
  func buffer(_ index: Int) -> UnsafeMutableRawPointer {
    memory + (slotCount * slotBytes + index * bufferBytes)
  }

  /// Records the address of the row with an index.
  func keep(_ row: UnsafeRawPointer, at index: Int) {
    kept[index % slotCount] = index
    keptRows[index % slotCount] = row
  }

  /// Returns a source row; a number outside the source is clamped to the first or the last row.
  ///
  /// Calls `read` to read and keep rows that are not in the cache.
  func row(
    _ number: Int, read: (_ index: Int, _ count: Int) -> Void
  ) -> UnsafeRawPointer {
    let index = indices[min(max(number, 0), indices.count - 1)]
    let slot = index % slotCount
    if kept[slot] != index { read(index, min(batch, numbers.count - index)) }
    return keptRows[slot]
  }
}
