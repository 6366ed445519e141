extension Double {
  /// Returns the number with a fixed number of decimals.
  func fixed(_ decimals: Int) -> String {
    var power = 1.0
    for _ in 0..<decimals { power *= 10 }
    let scaled = (magnitude * power).rounded()
    // Doubles beyond 2^53 have no decimals.
    guard isFinite, scaled < 0x1p53 else { return "\(self)" }
    let sign = self < 0 && scaled > 0 ? "-" : ""
    let digits = String(Int(scaled))
    guard decimals > 0 else { return sign + digits }
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
  }
}

extension Int {
  /// The number with a comma between groups of three digits.
  var grouped: String {
    var text = ""
    for (position, digit) in String(magnitude).reversed().enumerated() {
      if position > 0, position % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (self < 0 ? "-" : "") + String(text.reversed())
  }

  /// A number of bytes in the largest unit in which it is at least one.
  var byteText: String {
    let units = ["bytes", "KiB", "MiB", "GiB"]
    var value = Double(self)
    var unit = 0
    while value >= 1024, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    return unit == 0 ? "\(self) bytes" : "\(value.fixed(value < 10 ? 2 : 1)) \(units[unit])"
  }
}
