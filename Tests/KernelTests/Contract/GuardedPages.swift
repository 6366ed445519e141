import OcellusPlatform
import Synchronization

/// Pages between guard pages.
///
/// They are kept for the next memory of their size: mapping and protecting pages locks the address
/// space for all threads, so tests that run at the same time would spend most of their time waiting.
final class GuardedPages: Sendable {
  private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
  /// The size of the guard pages at each end, so large that distant accesses reach no other memory.
  private static let guardByteCount = 16 * pageSize
  /// The largest size that is kept, and how many of each size.
  private static let keptByteCount = 256 * pageSize
  private static let keptCount = 16

  private static let unused = Mutex<[Int: [GuardedPages]]>([:])

  let byteCount: Int
  private let address: UInt
  /// The slots of the guard pages in front and behind.
  private let guards: [Int]

  var start: UnsafeMutableRawPointer {
    guard let start = UnsafeMutableRawPointer(bitPattern: address) else { fatalError("no memory") }
    return start
  }

  /// Returns pages that hold at least so many bytes.
  static func holding(_ byteCount: Int) -> GuardedPages {
    let rounded = (byteCount + pageSize - 1) / pageSize * pageSize
    return unused.withLock { $0[rounded]?.popLast() } ?? GuardedPages(rounded)
  }

  private init(_ byteCount: Int) {
    let guardByteCount = Self.guardByteCount
    guard
      let mapping = mmap(
        nil, byteCount + 2 * guardByteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
        -1, 0),
      mapping != MAP_FAILED
    else { fatalError("no memory") }
    let first = mapping + guardByteCount
    self.byteCount = byteCount
    address = UInt(bitPattern: first)
    guards = [mapping, first + byteCount].map { pages in
      guard mprotect(pages, guardByteCount, PROT_NONE) == 0 else { fatalError("no memory") }
      return GuardWatch.add(pages, byteCount: guardByteCount)
    }
  }

  /// The first address of each guard that was touched.
  var touchedAddresses: [UInt] { guards.compactMap(GuardWatch.touchedAddress) }

  /// Keeps the pages for other memory, unless guards are open, because something touched them.
  func giveBack() {
    guard byteCount <= Self.keptByteCount, touchedAddresses.isEmpty else { return }
    Self.unused.withLock { unused in
      if unused[byteCount, default: []].count < Self.keptCount {
        unused[byteCount, default: []].append(self)
      }
    }
  }

  deinit {
    for slot in guards { GuardWatch.remove(slot) }
    munmap(start - Self.guardByteCount, byteCount + 2 * Self.guardByteCount)
  }
}
