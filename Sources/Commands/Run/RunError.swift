/// Inputs that cannot be given to a model.
struct RunError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
