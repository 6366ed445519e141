extension Float {
  /// The value if it is a confidence, 0…1; `nil` for other values, which count as not set.
  package var asConfidence: Float? { (0...1).contains(self) ? self : nil }
}

extension Int {
  /// The value if it is a positive count; `nil` for other values, which count as not set.
  package var asResultCount: Int? { self > 0 ? self : nil }
}
