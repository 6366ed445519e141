/// A node of a subgraph.
///
/// Sendable although it points into the model: that memory never changes.
package struct OperatorRecord: @unchecked Sendable {
  /// Into ``ModelFile/operatorCodes``.
  package var codeIndex: Int
  /// Tensors read, -1 for an optional one left out.
  package var inputs: [Int]
  /// Tensors written.
  package var outputs: [Int]
  /// Tensors that only describe the operator's inner values; -1 for one left out.
  package var intermediates: [Int]
  /// Which inputs the operator changes; empty when none.
  package var mutatingVariableInputs: [Bool]
  package var options: OptionsTable
  package var options2: OptionsTable
  /// Options of a custom operator, FlexBuffers as a rule; empty when there are none.
  package var customOptions: UnsafeRawBufferPointer
  /// Where the operator's table is in the file, for messages.
  package var byteOffset: Int

  package init(
    codeIndex: Int, inputs: [Int], outputs: [Int], intermediates: [Int] = [],
    mutatingVariableInputs: [Bool] = [], options: OptionsTable = .none,
    options2: OptionsTable = .none,
    customOptions: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
    byteOffset: Int = 0
  ) {
    self.codeIndex = codeIndex
    self.inputs = inputs
    self.outputs = outputs
    self.intermediates = intermediates
    self.mutatingVariableInputs = mutatingVariableInputs
    self.options = options
    self.options2 = options2
    self.customOptions = customOptions
    self.byteOffset = byteOffset
  }
}
