import OcellusPlatform
import OcellusTestSupport
import Testing

/// The operands of one kernel, drawn from a seed, each in its own guarded memory.
///
/// A seed draws the same numbers for every placement, so that results can be compared.
final class GuardedOperands {
  private let placement: GuardPlacement
  private var random: SeededGenerator
  private var checks: [(name: String, overrun: () -> String?)] = []
  private var results: [() -> [UInt8]] = []
  /// A description of the problem, for the message of a failed test.
  private(set) var problem: [String] = []

  init(seed: UInt64, placement: GuardPlacement) {
    self.placement = placement
    random = SeededGenerator(seed: seed)
  }

  /// Returns every overrun, with the name of its operand.
  func overruns() -> [String] {
    checks.compactMap { check in check.overrun().map { "\(check.name): \($0)" } }
  }

  /// Returns the bytes of all results, in the order of the requests for them.
  func resultBytes() -> [[UInt8]] { results.map { $0() } }

  // MARK: Drawing

  func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

  func bool() -> Bool { .random(using: &random) }

  /// Returns one of several values, and notes which.
  func choice<Value>(_ values: [Value]) -> Value {
    let index = number(0...values.count - 1)
    note("\(values[index])")
    return values[index]
  }

  /// Returns a size, small ones more often than large ones, and notes it.
  func size(_ name: String, _ range: ClosedRange<Int>) -> Int {
    let largest = bool() ? range.upperBound : min(range.upperBound, range.lowerBound + 17)
    let size = number(range.lowerBound...largest)
    note("\(name) \(size)")
    return size
  }

  func note(_ text: String) { problem.append(text) }

  // MARK: Memory

  private func memory<Element: BitwiseCopyable>(
    _ name: String, count: Int, filledWith value: Element
  ) -> GuardedMemory<Element> {
    let memory = GuardedMemory(count: count, filledWith: value, placement: placement)
    checks.append((name, { memory.check() }))
    return memory
  }

  /// Random bytes.
  func bits(_ name: String, byteCount: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(words(name, UInt8.self, count: byteCount) { $0 })
  }

  /// Random bytes that are all odd, so that nothing is divided by zero.
  func oddBytes(_ name: String, byteCount: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(words(name, UInt8.self, count: byteCount) { $0 | 0x0101_0101_0101_0101 })
  }

  /// Random integers.
  func integers<Element: FixedWidthInteger & BitwiseCopyable>(
    _ name: String, _: Element.Type = Element.self, count: Int
  ) -> UnsafePointer<Element> {
    UnsafePointer(words(name, Element.self, count: count) { $0 })
  }

  /// Floats of either sign whose magnitudes are between a half and one.
  func floats(_ name: String, count: Int) -> UnsafePointer<Float> {
    UnsafePointer(
      words(name, Float.self, count: count) { $0 & 0x807F_FFFF_807F_FFFF | 0x3F00_0000_3F00_0000 })
  }

  /// Values that the caller provides.
  func values<Element: BitwiseCopyable>(
    _ name: String, _ values: [Element]
  ) -> UnsafePointer<Element> {
    guard let first = values.first else {
      return UnsafePointer(memory(name, count: 0, filledWith: UInt64(0)).start)
        .withMemoryRebound(to: Element.self, capacity: 0) { $0 }
    }
    let memory = memory(name, count: values.count, filledWith: first)
    for (index, value) in values.enumerated() { memory.start[index] = value }
    return UnsafePointer(memory.start)
  }

  /// Random numbers within a range.
  func values<Element: FixedWidthInteger & BitwiseCopyable>(
    _ name: String, in range: ClosedRange<Element>, count: Int
  ) -> UnsafePointer<Element> {
    values(name, (0..<count).map { _ in .random(in: range, using: &random) })
  }

  /// Memory that a kernel reads and writes, with random floats at the start.
  func floatState(_ name: String, count: Int) -> UnsafeMutablePointer<Float> {
    result(floats(name, count: count), count: count)
  }

  /// Memory that a kernel reads and writes, with random integers at the start.
  func state<Element: FixedWidthInteger & BitwiseCopyable>(
    _ name: String, _: Element.Type = Element.self, count: Int
  ) -> UnsafeMutablePointer<Element> {
    result(integers(name, Element.self, count: count), count: count)
  }

  private func result<Element>(
    _ start: UnsafePointer<Element>, count: Int
  ) -> UnsafeMutablePointer<Element> {
    results.append {
      Array(UnsafeRawBufferPointer(start: start, count: count * MemoryLayout<Element>.stride))
    }
    return UnsafeMutablePointer(mutating: start)
  }

  /// Memory for a result.
  func result(_ name: String, byteCount: Int) -> UnsafeMutableRawPointer {
    let memory = memory(name, count: byteCount, filledWith: UInt8(0xAA))
    results.append { memory.elements }
    return UnsafeMutableRawPointer(memory.start)
  }

  func result<Element: BitwiseCopyable>(
    _ name: String, _: Element.Type = Element.self, count: Int
  ) -> UnsafeMutablePointer<Element> {
    result(name, byteCount: count * MemoryLayout<Element>.stride)
      .bindMemory(to: Element.self, capacity: count)
  }

  /// Memory that one kernel fills for another, or whose contents do not matter afterwards.
  func scratch(_ name: String, byteCount: Int) -> UnsafeMutableRawPointer {
    // The filler depends on the placement, because uninitialized memory must not affect results.
    let filler: UInt8 = placement == .ending ? 0xFF : 0x11
    return UnsafeMutableRawPointer(memory(name, count: byteCount, filledWith: filler).start)
  }

  /// Fills memory with words from the seed, changed by `mapped`.
  private func words<Element: BitwiseCopyable>(
    _ name: String, _: Element.Type, count: Int, _ mapped: (UInt64) -> UInt64
  ) -> UnsafeMutablePointer<Element> {
    let byteCount = count * MemoryLayout<Element>.stride
    let memory = memory(name, count: byteCount, filledWith: UInt8(0))
    let bytes = UnsafeMutableRawPointer(memory.start)
    // At most 1024 words are drawn and then repeated.
    let words = (0..<min((byteCount + 7) / 8, 1 << 10)).map { _ in mapped(random.next()) }
    words.withUnsafeBytes { words in
      guard let first = words.baseAddress else { return }
      for offset in stride(from: 0, to: byteCount, by: max(words.count, 1)) {
        memcpy(bytes + offset, first, min(words.count, byteCount - offset))
      }
    }
    return bytes.bindMemory(to: Element.self, capacity: count)
  }
}
