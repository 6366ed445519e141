import OcellusPlatform
import Synchronization

/// The shared memory of isolated work: the next item, a slot for each worker, and all answers.
final class SharedWorkState {
  private let memory: SharedMemory
  private let pieceCount: Int
  private let answerSize: Int
  private let firstSlot: UnsafeMutablePointer<WorkerSlot>
  private let firstAnswer: UnsafeMutableRawPointer

  init(pieceCount: Int, workerCount: Int, answerSize: Int) throws(FileError) {
    self.pieceCount = pieceCount
    self.answerSize = answerSize
    let slotsOffset = MemoryLayout<WorkerSlot>.alignment * 8
    let answersOffset = slotsOffset + workerCount * MemoryLayout<WorkerSlot>.stride
    memory = try SharedMemory(byteCount: answersOffset + pieceCount * (4 + answerSize))
    memory.base.initializeMemory(as: Atomic<Int>.self, to: Atomic(0))
    firstSlot = (memory.base + slotsOffset).bindMemory(to: WorkerSlot.self, capacity: workerCount)
    for slot in 0..<workerCount { (firstSlot + slot).initialize(to: WorkerSlot()) }
    firstAnswer = memory.base + answersOffset
  }

  private var next: UnsafeMutablePointer<Atomic<Int>> {
    memory.base.assumingMemoryBound(to: Atomic<Int>.self)
  }

  /// The number of work items that were started.
  var begunCount: Int { min(next.pointee.load(ordering: .relaxed), pieceCount) }

  /// Returns the next work item, or `nil` if all were started.
  func takeItem() -> Int? {
    let piece = next.pointee.add(1, ordering: .relaxed).oldValue
    return piece < pieceCount ? piece : nil
  }

  /// Returns the slot of a worker.
  func slot(_ worker: Int) -> UnsafeMutablePointer<WorkerSlot> { firstSlot + worker }

  /// Returns the work item of a dead worker and clears the slot for its successor.
  func piece(of worker: Int) -> Int? {
    let piece = slot(worker).pointee.piece
    slot(worker).pointee.finish()
    return piece
  }

  /// Stores the answer to a work item.
  func answer(_ piece: Int, with bytes: [UInt8]) {
    let place = firstAnswer + piece * (4 + answerSize)
    let kept = bytes.prefix(answerSize)
    (place + 4).copyMemory(from: Array(kept), byteCount: kept.count)
    // The count plus one, because zero means that there is no answer.
    place.storeBytes(of: UInt32(kept.count + 1), as: UInt32.self)
  }

  /// Returns the answer to a work item, if there is one.
  func answer(to piece: Int) -> [UInt8]? {
    let place = firstAnswer + piece * (4 + answerSize)
    let marker = place.loadUnaligned(as: UInt32.self)
    guard marker > 0 else { return nil }
    return Array(UnsafeRawBufferPointer(start: place + 4, count: Int(marker) - 1))
  }
}
