import Foundation
import TensorFlowLite
import Testing

@Suite struct TensorTests {
  private func tensor(name: String) -> Tensor {
    Tensor(
      name: name, dataType: .uInt8, shape: [2, 3], data: Data([1, 2, 3, 4, 5, 6]),
      quantizationParameters: QuantizationParameters(scale: 0.5, zeroPoint: 1))
  }

  @Test func keepsWhatItIsGiven() {
    let tensor = tensor(name: "input")
    #expect(tensor.name == "input")
    #expect(tensor.dataType == .uInt8)
    #expect(tensor.shape == [2, 3])
    #expect(tensor.data.count == 6)
    #expect(tensor.quantizationParameters?.scale == 0.5)
    #expect(tensor.quantizationParameters?.zeroPoint == 1)
  }

  @Test func isEqualWhenAllFieldsAre() {
    #expect(tensor(name: "a") == tensor(name: "a"))
    #expect(tensor(name: "a") != tensor(name: "b"))
    #expect(
      QuantizationParameters(scale: 0.5, zeroPoint: 1)
        != QuantizationParameters(scale: 0.6, zeroPoint: 1))
  }

  @Test func shapesComeInThreeWays() {
    let literal: Tensor.Shape = [2, 2, 3]
    #expect(Tensor.Shape([2, 2, 3]) == literal)
    #expect(Tensor.Shape(2, 2, 3) == literal)
    #expect(literal.rank == 3)
    #expect(literal.dimensions == [2, 2, 3])
    #expect(literal != [2, 3, 2])
  }

  @Test func runtimeHasASemanticVersion() {
    #expect(
      Runtime.version.wholeMatch(of: /(\d+)\.(\d+)\.(\d+)([+-][-.0-9A-Za-z]+)?(\+\w+)?/) != nil)
  }

  @Test func errorsSpeakTheOfficialWords() {
    #expect(
      InterpreterError.invalidTensorIndex(index: 1, maxIndex: 0).description
        == "Invalid tensor index 1, max index is 0.")
    #expect(
      SignatureRunnerError.failedToGetTensor(tensorType: "input", nameInSignature: "x")
        .localizedDescription == "Failed to get input tensor with input name (x).")
  }
}
