// The API of the official Swift runtime.
@_exported public import Foundation

@_exported public import class OcellusTensorFlowLite.CoreMLDelegate
@_exported public import protocol OcellusTensorFlowLite.Delegate
@_exported public import class OcellusTensorFlowLite.Interpreter
@_exported public import enum OcellusTensorFlowLite.InterpreterError
@_exported public import typealias OcellusTensorFlowLite.InterpreterOptions
@_exported public import class OcellusTensorFlowLite.MetalDelegate
@_exported public import struct OcellusTensorFlowLite.QuantizationParameters
@_exported public import enum OcellusTensorFlowLite.Runtime
@_exported public import class OcellusTensorFlowLite.SignatureRunner
@_exported public import enum OcellusTensorFlowLite.SignatureRunnerError
@_exported public import struct OcellusTensorFlowLite.Tensor
@_exported public import struct OcellusTensorFlowLite.TfLiteDelegate
@_exported public import enum OcellusTensorFlowLite.ThreadWaitType
