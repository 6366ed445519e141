/// What to do about constants that a model keeps in other files.
package enum ExternalBufferPolicy: Sendable, Equatable {
  /// Refuse models that have any.
  case refuse
  /// Read them from files inside this folder, the model's own as a rule, and nowhere else.
  case allow(folder: String)
}
