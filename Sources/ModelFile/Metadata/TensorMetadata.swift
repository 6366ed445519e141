/// What is said about an input or an output.
package struct TensorMetadata: Sendable, Hashable {
  package var name: String?
  package var description: String?
  package var dimensionNames: [String] = []
  package var content: TensorContent?
  /// What to do to an input before, to an output afterwards, in this order.
  package var processUnits: [ProcessUnit] = []
  /// The smallest values, one or one per channel.
  package var minimum: [Float] = []
  /// The largest values, one or one per channel.
  package var maximum: [Float] = []
  package var associatedFiles: [AssociatedFileRecord] = []
}
