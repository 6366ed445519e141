import OcellusPlatform

/// The memory of this process, from the kernel's statistics.
enum ProcessMemory {
  /// Returns the peak resident memory in KiB.
  ///
  /// `getrusage` would include the parent's memory before `exec`; the high-water mark in
  /// /proc/self/status belongs to this program alone.
  static func peakResidentKibibytes() throws(FileError) -> Int {
    let status = String(decoding: try FileSystem.read("/proc/self/status"), as: UTF8.self)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
