extension String {
  /// The lines of the text; see `Substring.lines`.
  package var lines: [Substring] { self[...].lines }
}

extension Substring {
  /// The lines of the text, which end at LF or CR LF, or at CR if there is no LF at all, as in old
  /// Mac files.
  ///
  /// Unicode's other line ends (U+0085, U+2028, form feeds) are ignored: the programs that wrote
  /// the text count lines by LF, so every name after another line end would be shifted. The text
  /// after the last line end is a line too, even an empty one.
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
