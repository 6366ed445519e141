import OcellusPlatform

/// The memory of this process as the kernel counts it.
enum ProcessMemory {
  /// The most KiB that were resident at a time.
  ///
  /// `getrusage` would count what the parent held before it became this program; the high-water mark
  /// of /proc/self/status belongs to this program alone.
  static func peakResidentKibibytes() throws(FileError) -> Int {
    let status = String(decoding: try FileSystem.read("/proc/self/status"), as: UTF8.self)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
