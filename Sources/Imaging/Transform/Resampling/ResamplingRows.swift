/// The rows of the source that are needed, counted without those that are not, and the places where
/// the latest of them are kept.
final class ResamplingRows {
  /// The number in the source of every row that is needed, in order.
  private let numbers: [Int]
  /// For every row of the source that is needed, which one of these it is.
  private let places: [Int]
  private let batch: Int
  /// Which row each slot holds, and where its pixels are.
  private let kept: UnsafeMutablePointer<Int>
  private let keptRows: UnsafeMutablePointer<UnsafeRawPointer>
  private let slotCount: Int
  private let memory: UnsafeMutableRawPointer
  private let slotBytes: Int
  private let bufferBytes: Int
  /// Rows that are read together.
  let inputs: UnsafeMutablePointer<UnsafeRawPointer>
  /// The slots of these rows.
  let outputs: UnsafeMutablePointer<UnsafeMutableRawPointer>

  /// The rows that a filter across `height` rows needs; `batch` of them are read together.
  init(_ filter: AxisFilter, height: Int, slotBytes: Int, bufferBytes: Int, batch: Int) {
    var places = Array(repeating: -1, count: height)
    for output in 0..<filter.count {
      for tap in 0..<filter.taps {
        places[min(max(Int(filter.firsts[output]) + tap, 0), height - 1)] = 0
      }
    }
    var numbers: [Int] = []
    for row in 0..<height where places[row] == 0 {
      places[row] = numbers.count
      numbers.append(row)
    }
    self.places = places
    self.numbers = numbers
    self.batch = batch
    self.slotBytes = (slotBytes + 63) / 64 * 64
    self.bufferBytes = (bufferBytes + 63) / 64 * 64
    // The rows of a batch must not displace those that the filter has asked for before.
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

  /// The number in the source of the row at a place.
  func number(_ place: Int) -> Int { numbers[place] }

  /// Memory for the row at a place.
  func slot(_ place: Int) -> UnsafeMutableRawPointer { memory + place % slotCount * slotBytes }

  /// Memory for a row of the source on its way into a slot.
  func buffer(_ index: Int) -> UnsafeMutableRawPointer {
    memory + (slotCount * slotBytes + index * bufferBytes)
  }

  /// Says where the row at a place is now.
  func keep(_ row: UnsafeRawPointer, at place: Int) {
    kept[place % slotCount] = place
    keptRows[place % slotCount] = row
  }

  /// A row of the source, the first or the last one where there is none; `read` is asked for rows that
  /// are not kept, and keeps them.
  func row(
    _ number: Int, read: (_ place: Int, _ count: Int) -> Void
  ) -> UnsafeRawPointer {
    let place = places[min(max(number, 0), places.count - 1)]
    let slot = place % slotCount
    if kept[slot] != place { read(place, min(batch, numbers.count - place)) }
    return keptRows[slot]
  }
}
