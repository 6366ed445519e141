import OcellusJSON
import OcellusProfile

extension SpeedRatio {
  var text: String {
    "\(ratio.fixed(3)) [\(interval.lowerBound.fixed(3))..\(interval.upperBound.fixed(3))]"
  }

  var json: JSONValue {
    [
      "ratio": .number(ratio), "low": .number(interval.lowerBound),
      "high": .number(interval.upperBound),
    ]
  }
}
