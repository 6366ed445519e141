import OcellusPlatform
import Synchronization
import Testing

/// The end of guarded memory that lies next to a guard page.
///
/// Between the other end and its guard page, there may be part of a page, whose bytes are compared
/// afterwards.
enum GuardPlacement: String, CaseIterable {
  /// The last byte lies right before the guard page behind the memory.
  case ending
  /// The first byte lies right after the guard page in front of the memory.
  case beginning

  /// The placement of memory that is created without one.
  ///
  /// `OCELLUS_GUARDS=beginning` runs all tests of kernels with the other placement.
  @TaskLocal static var current =
    getenv("OCELLUS_GUARDS").flatMap { GuardPlacement(rawValue: String(cString: $0)) } ?? .ending
}

/// Memory between guard pages, where a kernel that reads or writes outside of its operands fails
/// the test, instead of failing an application on rare occasions.
final class GuardedMemory<Element: BitwiseCopyable> {
  /// The value of the bytes between the memory and the farther guard page.
  private static var margin: UInt8 { 0x5A }

  let start: UnsafeMutablePointer<Element>
  let count: Int
  private let placement: GuardPlacement
  private let pages: GuardedPages
  private let location: SourceLocation
  private var isChecked = false

  init(
    count: Int, filledWith value: Element, placement: GuardPlacement = .current,
    at location: SourceLocation = #_sourceLocation
  ) {
    let bytes = count * MemoryLayout<Element>.stride
    pages = GuardedPages.holding(bytes)
    memset(pages.start, Int32(Self.margin), pages.byteCount)
    self.placement = placement
    self.count = count
    self.location = location
    let first = placement == .beginning ? pages.start : pages.start + (pages.byteCount - bytes)
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
    pages.giveBack()
  }

  var elements: [Element] { Array(UnsafeBufferPointer(start: start, count: count)) }

  /// Returns the overrun; unless this was called, deinitialization records it as an issue.
  func check() -> String? {
    isChecked = true
    return overrun
  }

  /// A description of an access outside the memory that guard pages or the margin have detected.
  private var overrun: String? {
    let first = UInt(bitPattern: start)
    let byteCount = count * MemoryLayout<Element>.stride
    if let address = pages.touchedAddresses.first {
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

  /// The offset of the first changed byte of the margin from the start of the memory.
  private var changedMargin: Int? {
    let byteCount = count * MemoryLayout<Element>.stride
    let bytes = UnsafeRawPointer(start)
    let margin: Range<Int> =
      switch placement {
      case .ending: byteCount - pages.byteCount..<0
      case .beginning: byteCount..<pages.byteCount
      }
    guard let first = margin.first else { return nil }
    let start = bytes + first
    // If the first byte is unchanged and each byte equals the next, the whole margin is unchanged.
    if start.load(as: UInt8.self) == Self.margin, memcmp(start, start + 1, margin.count - 1) == 0 {
      return nil
    }
    return margin.first { bytes.load(fromByteOffset: $0, as: UInt8.self) != Self.margin }
  }
}

private let lastByteRead = Atomic<UInt8>(0)

/// Reads a byte and stores it, so that the optimiser cannot remove the read.
func readByte(_ address: UnsafeRawPointer, at offset: Int) {
  lastByteRead.store(address.load(fromByteOffset: offset, as: UInt8.self), ordering: .relaxed)
}
