import OcellusPlatform

/// A level of the machine's memory, as the system describes it.
package struct MemoryLevel: Equatable {
  package let name: String
  /// What all threads together can keep in it.
  package let capacity: Int
  /// What they read to measure it: surely in this level, and surely not in a nearer one.
  package let measuredByteCount: Int

  /// What a processor has that the system says nothing of.
  private static let usual: [(name: String, byteCount: Int, isShared: Bool)] = [
    ("L1", 32 << 10, false), ("L2", 512 << 10, false), ("L3", 8 << 20, true),
  ]
  private static let mostMeasuredBytes = 256 << 20

  /// The nearest first, the memory last.
  static func all(threadCount: Int) -> [MemoryLevel] {
    let found = described(in: "/sys/devices/system/cpu/cpu0/cache")
    return levels(found.isEmpty ? usual : found, threadCount: threadCount)
  }

  package static func levels(
    _ caches: [(name: String, byteCount: Int, isShared: Bool)], threadCount: Int
  ) -> [MemoryLevel] {
    var levels: [MemoryLevel] = []
    for (name, byteCount, isShared) in caches {
      let capacity = isShared ? byteCount : byteCount * threadCount
      // Of a cache that other cores, and other machines on the same processor, share there may be little
      // left; more than the nearer level holds is enough to be here.
      let nearer = isShared ? levels.last?.capacity : nil
      let measured = min(capacity / 2, nearer.map { 4 * $0 } ?? .max)
      levels.append(MemoryLevel(name: name, capacity: capacity, measuredByteCount: measured))
    }
    let largest = levels.map(\.capacity).max() ?? 0
    let memory = MemoryLevel(
      name: "memory", capacity: .max, measuredByteCount: min(4 * largest, mostMeasuredBytes))
    return levels + [memory]
  }

  /// The caches for data in a folder such as Linux has for each processor.
  package static func described(in folder: String) -> [(
    name: String, byteCount: Int, isShared: Bool
  )] {
    func text(_ cache: Int, _ file: String) -> String? {
      guard let bytes = try? FileSystem.read("\(folder)/index\(cache)/\(file)") else { return nil }
      return String(decoding: bytes.filter { $0 > UInt8(ascii: " ") }, as: UTF8.self)
    }
    return (0..<8).compactMap { cache in
      guard let level = text(cache, "level").flatMap({ Int($0) }),
        text(cache, "type") != "Instruction",
        let size = text(cache, "size").flatMap(byteCount)
      else { return nil }
      // What two or more cores share is of the last level; the threads of one core are none that matter.
      return ("L\(level)", size, level > 2)
    }
  }

  /// `512K` or `32M`.
  private static func byteCount(_ text: String) -> Int? {
    let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30]
    guard let unit = text.last, let shift = shifts[unit] else { return Int(text) }
    return Int(text.dropLast()).flatMap { (1..<(1 << 20)).contains($0) ? $0 << shift : nil }
  }
}
