import OcellusPlatform

/// A level of the memory hierarchy, as the system describes it.
package struct MemoryLevel: Equatable {
  package let name: String
  /// The capacity for all threads together.
  package let capacity: Int
  /// The number of bytes to read when measuring: they fit in this level, but not in a nearer one.
  package let measuredByteCount: Int

  /// Typical caches, for systems that do not describe theirs.
  private static let usual: [(name: String, byteCount: Int, isShared: Bool)] = [
    ("L1", 32 << 10, false), ("L2", 512 << 10, false), ("L3", 8 << 20, true),
  ]
  private static let maximumMeasuredBytes = 256 << 20

  /// Returns the levels, nearest first and the main memory last.
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
      // Other cores and virtual machines may occupy most of a shared cache, so measure with at most
      // four times the capacity of the nearer level.
      let nearer = isShared ? levels.last?.capacity : nil
      let measured = min(capacity / 2, nearer.map { 4 * $0 } ?? .max)
      levels.append(MemoryLevel(name: name, capacity: capacity, measuredByteCount: measured))
    }
    let largest = levels.map(\.capacity).max() ?? 0
    let memory = MemoryLevel(
      name: "memory", capacity: .max, measuredByteCount: min(4 * largest, maximumMeasuredBytes))
    return levels + [memory]
  }

  /// Returns the data caches in a directory in the format of Linux's sysfs.
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
      // Only the last level is shared by cores; hardware threads of one core do not matter here.
      return ("L\(level)", size, level > 2)
    }
  }

  /// Parses sizes such as `512K` and `32M`.
  private static func byteCount(_ text: String) -> Int? {
    let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30]
    guard let unit = text.last, let shift = shifts[unit] else { return Int(text) }
    return Int(text.dropLast()).flatMap { (1..<(1 << 20)).contains($0) ? $0 << shift : nil }
  }
}
