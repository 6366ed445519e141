/// This release of Ocellus.
package enum Release {
  /// Its version: numbers, the first of which weigh most.
  package static let numbers = [0, 1, 0]
  /// The numbers, with points between them.
  package static var version: String { numbers.map(String.init).joined(separator: ".") }
}
