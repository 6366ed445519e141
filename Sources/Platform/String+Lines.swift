extension String {
  /// The lines of the text; see `Substring.lines`.
  package var lines: [Substring] { self[...].lines }
}

extension Substring {
  /// The lines of the text: they end at LF or CR LF, and only where there is no LF at all, at CR, as in
  /// files of old Macs.
  ///
  /// Nothing else ends a line, although Unicode has more that would (U+0085, U+2028, form feeds): the
  /// programs that wrote the text count lines by LF, and every name behind another end would be shifted.
  /// What stands behind the last line end is a line too, if an empty one.
  package var lines: [Substring] {
    let lineEnd = UInt8(ascii: utf8.contains(UInt8(ascii: "\n")) ? "\n" : "\r")
    var lines: [Substring] = []
    var rest = utf8
    while let end = rest.firstIndex(of: lineEnd) {
      let line = rest[..<end]
      lines.append(Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
      rest = rest[rest.index(after: end)...]
    }
    return lines + [Substring(rest)]
  }
}
