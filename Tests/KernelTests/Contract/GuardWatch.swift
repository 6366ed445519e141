import OcellusPlatform
import Synchronization

/// Records accesses to guard pages, so that an overrun fails one test instead of killing the
/// process.
///
/// A fault in a guard page opens that page and is recorded, and the kernel continues. Any other
/// fault goes to the previous handler.
enum GuardWatch {
  /// One guard page.
  ///
  /// The handler reads a slot only while the kernel that uses the memory beside the page is
  /// stopped, so it needs no lock.
  struct Slot {
    var start: UInt = 0
    var byteCount: UInt = 0
    /// The first address that was touched; 0 if none was.
    var touched: UInt = 0
  }

  private static let capacity = 1 << 14
  private static let table = Table()

  /// Watches a page that is mapped without any permission.
  static func add(_ page: UnsafeMutableRawPointer, byteCount: Int) -> Int {
    table.free.withLock { free in
      let slot = free.popLast() ?? table.next()
      table.slots[slot] = Slot(start: UInt(bitPattern: page), byteCount: UInt(byteCount))
      return slot
    }
  }

  /// The first address in the page that was touched.
  static func touchedAddress(_ slot: Int) -> UInt? {
    let touched = table.slots[slot].touched
    return touched == 0 ? nil : touched
  }

  static func remove(_ slot: Int) {
    table.free.withLock { free in
      table.slots[slot] = Slot()
      free.append(slot)
    }
  }

  /// Opens the guard page that an address lies in.
  fileprivate static func open(_ address: UInt) -> Bool {
    for index in 0..<table.count {
      let slot = table.slots + index
      guard slot.pointee.start > 0, address &- slot.pointee.start < slot.pointee.byteCount else {
        continue
      }
      if slot.pointee.touched == 0 { slot.pointee.touched = address }
      let page = UnsafeMutableRawPointer(bitPattern: slot.pointee.start)
      return mprotect(page, Int(slot.pointee.byteCount), PROT_READ | PROT_WRITE) == 0
    }
    return false
  }

  fileprivate static func handOn(_ signal: Int32) {
    var action = signal == SIGBUS ? table.busAction : table.segmentationAction
    sigaction(signal, &action, nil)
  }

  /// Unchecked: `free`'s lock guards changes, and the handler touches only slots that are in use.
  private final class Table: @unchecked Sendable {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: GuardWatch.capacity)
    /// The slots that can be used again.
    let free = Mutex<[Int]>([])
    private(set) var count = 0
    private(set) var segmentationAction = sigaction()
    private(set) var busAction = sigaction()

    init() {
      slots.initialize(repeating: Slot(), count: GuardWatch.capacity)
      var action = sigaction()
      action.sa_flags = Int32(SA_SIGINFO)
      action.__sigaction_handler.sa_sigaction = { signal, information, _ in
        // `si_addr`, which every C library names differently, but keeps at the same offset.
        let address = UnsafeRawPointer(information)?.load(fromByteOffset: 16, as: UInt.self)
        if !GuardWatch.open(address ?? 0) { GuardWatch.handOn(signal) }
      }
      sigaction(SIGSEGV, &action, &segmentationAction)
      sigaction(SIGBUS, &action, &busAction)
    }

    func next() -> Int {
      precondition(count < GuardWatch.capacity, "too many guarded pieces of memory at once")
      count += 1
      return count - 1
    }
  }
}
