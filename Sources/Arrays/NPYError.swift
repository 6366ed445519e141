import OcellusPlatform

/// A file that is not a readable .npy array, and why.
package struct NPYError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description.shortened
  }
}
