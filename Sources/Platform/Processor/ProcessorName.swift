/// The name of the processor, as Linux reports it.
package enum ProcessorName {
  /// The name of the model; `nil` where there is none, as on most Arm processors.
  package static var current: String? {
    guard let bytes = try? FileSystem.read("/proc/cpuinfo") else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("model name") }),
      let colon = line.firstIndex(of: ":")
    else { return nil }
    return String(line[line.index(after: colon)...].drop(while: \.isWhitespace))
  }
}
