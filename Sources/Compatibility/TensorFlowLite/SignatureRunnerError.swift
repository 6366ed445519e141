public import Foundation

/// A failure of a signature runner.
public enum SignatureRunnerError: Error, Equatable, Hashable {
  case invalidTensorDataCount(provided: Int, required: Int)
  case invalidTensorDataType
  case failedToCreateSignatureRunner(signatureKey: String)
  case failedToGetTensor(tensorType: String, nameInSignature: String)
  case failedToResizeInputTensor(inputName: String)
  case failedToCopyDataToInputTensor
  case failedToAllocateTensors
  case failedToInvokeSignature(signatureKey: String)
  case allocateTensorsRequired
}

extension SignatureRunnerError: LocalizedError {
  /// The text of the official runtime for the error.
  public var errorDescription: String? {
    switch self {
    case .invalidTensorDataCount(let provided, let required):
      InterpreterError.invalidTensorDataCount(provided: provided, required: required).description
    case .invalidTensorDataType: InterpreterError.invalidTensorDataType.description
    case .failedToCreateSignatureRunner(let key):
      "Failed to create a signature runner. Signature with key (\(key)) not found."
    case .failedToGetTensor(let type, let name):
      "Failed to get \(type) tensor with \(type) name (\(name))."
    case .failedToResizeInputTensor(let name):
      "Failed to resize input tensor with input name (\(name))."
    case .failedToCopyDataToInputTensor:
      InterpreterError.failedToCopyDataToInputTensor.description
    case .failedToAllocateTensors: InterpreterError.failedToAllocateTensors.description
    case .failedToInvokeSignature(let key):
      "Failed to invoke the signature runner with key (\(key))."
    case .allocateTensorsRequired: InterpreterError.allocateTensorsRequired.description
    }
  }
}

extension SignatureRunnerError: CustomStringConvertible {
  /// The same text as `errorDescription`.
  public var description: String { errorDescription ?? "Unknown error." }
}
