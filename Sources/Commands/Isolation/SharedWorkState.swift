import OcellusPlatform
import Synchronization

/// The shared memory of isolated work: the next item, a slot for each worker, and all answers.
final class SharedWorkState {
  private let memory: SharedMemory
  private let itemCount: Int
  private let answerSize: Int
  private let firstSlot: UnsafeMutablePointer<WorkerSlot>
  private let firstAnswer: UnsafeMutableRawPointer

  init(itemCount: Int, workerCount: Int, answerSize: Int) throws(FileError) {
    self.itemCount = itemCount
    self.answerSize = answerSize
    let slotsOffset = MemoryLayout<WorkerSlot>.alignment * 8
    let answersOffset = slotsOffset + workerCount * MemoryLayout<WorkerSlot>.stride
    memory = try SharedMemory(byteCount: answersOffset + itemCount * (4 + answerSize))
    memory.base.initializeMemory(as: Atomic<Int>.self, to: Atomic(0))
    firstSlot = (memory.base + slotsOffset).bindMemory(to: WorkerSlot.self, capacity: workerCount)
    for slot in 0..<workerCount { (firstSlot + slot).initialize(to: WorkerSlot()) }
    firstAnswer = memory.base + answersOffset
  }

  private var next: UnsafeMutablePointer<Atomic<Int>> {
    memory.base.assumingMemoryBound(to: Atomic<Int>.self)
  }

  /// The number of work items that were started.
  var begunCount: Int { min(next.pointee.load(ordering: .relaxed), itemCount) }

  /// Returns the next work item, or `nil` if all were started.
  func takeItem() -> Int? {
    let item = next.pointee.add(1, ordering: .relaxed).oldValue
    return item < itemCount ? item : nil
  }

  /// Returns the slot of a worker.
  func slot(_ worker: Int) -> UnsafeMutablePointer<WorkerSlot> { firstSlot + worker }

  /// Returns the work item of a dead worker and clears the slot for its successor.
  func item(of worker: Int) -> Int? {
    let item = slot(worker).pointee.item
    slot(worker).pointee.finish()
    return item
  }

  /// Stores the answer to a work item.
  func answer(_ item: Int, with bytes: [UInt8]) {
    let address = firstAnswer + item * (4 + answerSize)
    let kept = bytes.prefix(answerSize)
    (address + 4).copyMemory(from: Array(kept), byteCount: kept.count)
    // The count plus one, because zero means that there is no answer.
    address.storeBytes(of: UInt32(kept.count + 1), as: UInt32.self)
  }

  /// Returns the answer to a work item, if there is one.
  func answer(to item: Int) -> [UInt8]? {
    let address = firstAnswer + item * (4 + answerSize)
    let marker = address.loadUnaligned(as: UInt32.self)
    guard marker > 0 else { return nil }
    return Array(UnsafeRawBufferPointer(start: address + 4, count: Int(marker) - 1))
  }
}
