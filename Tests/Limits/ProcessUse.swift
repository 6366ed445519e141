import OcellusPlatform

/// The resources that this process has used so far.
enum ProcessUse {
  /// The processor time of all threads in seconds.
  static var cpuSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Resets the peak of resident memory and returns the current size; `nil` if the system cannot.
  static func resetPeak() -> Int? {
    let file = open("/proc/self/clear_refs", O_WRONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard write(file, "5", 1) == 1 else { return nil }
    return bytes(named: "VmRSS:")
  }

  /// The peak of resident memory since `resetPeak()`.
  static var peakBytes: Int? { bytes(named: "VmHWM:") }

  private static func bytes(named name: String) -> Int? {
    guard let file = fopen("/proc/self/status", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let text = String(decoding: bytes, as: UTF8.self)
      let words = text.split { $0 == " " || $0 == "\t" || $0 == "\n" }
      if words.first == name[...], words.count > 1 { return Int(words[1]).map { $0 << 10 } }
    }
    return nil
  }
}
