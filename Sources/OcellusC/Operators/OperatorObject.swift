import CTensorFlowLite
import OcellusHandles

/// The object behind a `TfLiteOperator`: an operator of the program with opaque functions.
final class OperatorObject: Handle {
  typealias Context = OpaquePointer?
  typealias Node = OpaquePointer?
  typealias Data = UnsafeMutableRawPointer?

  /// The functions of the operator, each also in a variant that takes the program's data first.
  struct Functions {
    var initialize: (@convention(c) (Context, UnsafePointer<CChar>?, Int) -> Data)?
    var initializeWithData: (@convention(c) (Data, Context, UnsafePointer<CChar>?, Int) -> Data)?
    var free: (@convention(c) (Context, Data) -> Void)?
    var freeWithData: (@convention(c) (Data, Context, Data) -> Void)?
    var prepare: (@convention(c) (Context, Node) -> TfLiteStatus)?
    var prepareWithData: (@convention(c) (Data, Context, Node) -> TfLiteStatus)?
    var invoke: (@convention(c) (Context, Node) -> TfLiteStatus)?
    var invokeWithData: (@convention(c) (Data, Context, Node) -> TfLiteStatus)?
  }

  let code: TfLiteBuiltinOperator
  let version: Int32
  let userData: UnsafeMutableRawPointer?
  var functions = Functions()
  /// The string that the program gave, for programs that compare it by its address.
  let givenName: UnsafePointer<CChar>?
  /// A copy, because the program may free its string.
  private let nameStorage: CStrings?

  var name: UnsafePointer<CChar>? { nameStorage?.pointers[0] }

  init(
    code: TfLiteBuiltinOperator, name: UnsafePointer<CChar>?, version: Int32,
    userData: UnsafeMutableRawPointer?
  ) {
    self.code = code
    self.version = version
    self.userData = userData
    givenName = name
    nameStorage = name.map { CStrings([String(cString: $0)]) }
  }
}
