/// What a window does at the edges of its input: the schema's `Padding`.
package enum PaddingScheme: Int, Sendable {
  /// It may hang over the edges, so that there is an output for every stride.
  case same = 0
  /// It stays inside.
  case valid = 1
}
