/// The release of Ocellus that this code belongs to.
package enum Release {
  /// The version's numbers, the most significant first.
  package static let numbers = [0, 1, 0]
  /// The version as text, such as `0.1.0`.
  package static var version: String { numbers.map(String.init).joined(separator: ".") }
}
