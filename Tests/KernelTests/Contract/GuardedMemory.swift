import OcellusPlatform
import Synchronization
import Testing

/// Which end of guarded memory lies at a page that may not be touched; at the other end there may be a part of a page
/// between them, whose bytes are compared afterwards.
enum GuardPlacement: String, CaseIterable {
  /// The last byte lies right before the page behind.
  case ending
  /// The first byte lies right behind the page in front.
  case beginning

  /// What memory gets that is not told.
  ///
  /// `OCELLUS_GUARDS=beginning` runs all tests of kernels with the other one.
  @TaskLocal static var current =
    getenv("OCELLUS_GUARDS").flatMap { GuardPlacement(rawValue: String(cString: $0)) } ?? .ending
}

/// Memory between pages that may not be touched, so that a kernel that reads or writes outside of it fails the test
/// rather than, rarely, an application.
final class GuardedMemory<Element: BitwiseCopyable> {
  /// What fills the part of a page between the memory and the farther guard page.
  private static var margin: UInt8 { 0x5A }

  let start: UnsafeMutablePointer<Element>
  let count: Int
  private let placement: GuardPlacement
  private let mapping: UnsafeMutableRawBufferPointer
  /// The bytes of the guard pages at either end: whoever goes far beyond should not find another piece of memory.
  private let guardBytes: Int
  /// The guard pages in front and behind.
  private let guards: [Int]
  private let location: SourceLocation
  private var isChecked = false

  init(
    count: Int, filledWith value: Element, placement: GuardPlacement = .current,
    at location: SourceLocation = #_sourceLocation
  ) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let guardBytes = 16 * page
    self.guardBytes = guardBytes
    let bytes = count * MemoryLayout<Element>.stride
    let usable = (bytes + page - 1) / page * page
    guard
      let pages = mmap(
        nil, usable + 2 * guardBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      pages != MAP_FAILED
    else { fatalError("no memory") }
    mapping = UnsafeMutableRawBufferPointer(start: pages, count: usable + 2 * guardBytes)
    let behind = pages + guardBytes + usable
    memset(pages + guardBytes, Int32(Self.margin), usable)
    guards = [pages, behind].map { guardPage in
      guard mprotect(guardPage, guardBytes, PROT_NONE) == 0 else { fatalError("no memory") }
      return GuardWatch.add(guardPage, byteCount: guardBytes)
    }
    self.placement = placement
    self.count = count
    self.location = location
    let first = placement == .beginning ? pages + guardBytes : behind - bytes
    start = first.bindMemory(to: Element.self, capacity: count)
    start.initialize(repeating: value, count: count)
  }

  convenience init(_ elements: [Element], at location: SourceLocation = #_sourceLocation)
  where Element: ExpressibleByIntegerLiteral {
    self.init(count: elements.count, filledWith: 0, at: location)
    elements.withUnsafeBufferPointer { elements in
      if let first = elements.baseAddress { start.update(from: first, count: count) }
    }
  }

  deinit {
    if !isChecked, let overrun { Issue.record("\(overrun)", sourceLocation: location) }
    for slot in guards { GuardWatch.remove(slot) }
    munmap(mapping.baseAddress, mapping.count)
  }

  var elements: [Element] { Array(UnsafeBufferPointer(start: start, count: count)) }

  /// Says what was touched outside, once; who does not ask has it recorded as an issue in the end.
  func check() -> String? {
    isChecked = true
    return overrun
  }

  /// What was read or written outside of the memory, as far as guard pages and the bytes of the margin tell.
  private var overrun: String? {
    let first = UInt(bitPattern: start)
    let byteCount = count * MemoryLayout<Element>.stride
    for slot in guards {
      guard let address = GuardWatch.touchedAddress(slot) else { continue }
      return Self.text(
        "touched", distance: Int(bitPattern: address) - Int(bitPattern: first), of: byteCount)
    }
    return changedMargin.map { Self.text("wrote", distance: $0, of: byteCount) }
  }

  private static func text(_ verb: String, distance: Int, of byteCount: Int) -> String {
    distance < 0
      ? "\(verb) \(-distance) bytes in front of \(byteCount) bytes"
      : "\(verb) byte \(distance - byteCount) behind \(byteCount) bytes"
  }

  private var usableByteCount: Int { mapping.count - 2 * guardBytes }

  /// Where the margin was written, counted from the start of the memory.
  private var changedMargin: Int? {
    let byteCount = count * MemoryLayout<Element>.stride
    let bytes = UnsafeRawPointer(start)
    let margin: Range<Int> =
      switch placement {
      case .ending: byteCount - usableByteCount..<0
      case .beginning: byteCount..<usableByteCount
      }
    guard let first = margin.first else { return nil }
    let start = bytes + first
    // Alike from the first to the last: for most memory that is all there is to look at.
    if start.load(as: UInt8.self) == Self.margin, memcmp(start, start + 1, margin.count - 1) == 0 {
      return nil
    }
    return margin.first { bytes.load(fromByteOffset: $0, as: UInt8.self) != Self.margin }
  }
}

private let lastByteRead = Atomic<UInt8>(0)

/// Reads a byte and keeps it, so that the optimiser cannot leave the reading out.
func readByte(_ address: UnsafeRawPointer, at offset: Int) {
  lastByteRead.store(address.load(fromByteOffset: offset, as: UInt8.self), ordering: .relaxed)
}
