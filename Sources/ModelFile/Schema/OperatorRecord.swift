/// A node of a subgraph.
///
/// Sendable although it points into the model: that memory never changes.
package struct OperatorRecord: @unchecked Sendable {
  /// The index of the entry in ``ModelFile/operatorCodes``.
  package var codeIndex: Int
  /// The indices of the tensors that are read; -1 for an optional one that is left out.
  package var inputs: [Int]
  /// The indices of the tensors that are written.
  package var outputs: [Int]
  /// The indices of tensors that only describe the operator's inner values; -1 for one left out.
  package var intermediates: [Int]
  /// For each input, whether the operator changes it; empty if it changes none.
  package var mutatingVariableInputs: [Bool]
  package var options: OptionsTable
  package var options2: OptionsTable
  /// The options of a custom operator, usually FlexBuffers; empty if there are none.
  package var customOptions: UnsafeRawBufferPointer
  /// The position of the operator's table in the file, for messages.
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
