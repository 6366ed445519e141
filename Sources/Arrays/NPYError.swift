import OcellusPlatform

/// The reason why a file is not a readable .npy array.
package struct NPYError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description.shortened
  }
}
