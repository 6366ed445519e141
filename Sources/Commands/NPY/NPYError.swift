/// A file that is not a readable .npy array, and why.
struct NPYError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
