extension Float {
  /// The number where it can be a confidence, 0…1; `nil` for all others, which count as not set.
  package var asConfidence: Float? { (0...1).contains(self) ? self : nil }
}

extension Int {
  /// The number where it can be a count of results; `nil` for all others, which count as not set.
  package var asResultCount: Int? { self > 0 ? self : nil }
}
