// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

import CTensorFlowLite
import OcellusHandles
import OcellusModelFile
import OcellusPlatform

// TfLiteModel…

/// The official messages about models that cannot be read.
private enum ModelFailure {
  static let empty = "The model allocation is null/empty"
  static let invalid = "The model is not a valid Flatbuffer buffer"
  static func unreadable(_ path: String) -> String { "Could not open '\(path)'." }
}

private func createModel(
  _ data: UnsafeRawPointer?, _ size: Int, _ reporter: ErrorReporter
) -> OpaquePointer? {
  guard let data, size > 0 else {
    reporter.report(ModelFailure.empty)
    return nil
  }
  let bytes = ModelBytes(
    borrowing: UnsafeRawBufferPointer(start: data, count: size), owner: nil)
  do throws(ModelFileError) { return try SharedModel(bytes).retained() } catch {
    reporter.report(ModelFailure.invalid)
    reporter.explain(error.description)
    return nil
  }
}

private func createModel(
  fromFile path: UnsafePointer<CChar>?, _ reporter: ErrorReporter
) -> OpaquePointer? {
  guard let path = path.map({ String(fileName: $0) }) else {
    reporter.report(ModelFailure.empty)
    return nil
  }
  do throws(ModelFileError) {
    return try SharedModel(ModelBytes(path: path)).retained()
  } catch {
    if error.kind == .unreadable {
      reporter.report(ModelFailure.unreadable(path))
      reporter.report(ModelFailure.empty)
    } else {
      reporter.report(ModelFailure.invalid)
    }
    reporter.explain(error.description)
    return nil
  }
}

@c @implementation public func TfLiteModelCreate(
  _ data: UnsafeRawPointer?, _ size: Int
) -> OpaquePointer? { createModel(data, size, ErrorReporter()) }

@c @implementation public func TfLiteModelCreateFromFile(
  _ path: UnsafePointer<CChar>?
) -> OpaquePointer? { createModel(fromFile: path, ErrorReporter()) }

@c @implementation public func TfLiteModelDelete(_ model: OpaquePointer?) {
  SharedModel.release(model)
}

// `@c @implementation` cannot check functions with a `va_list` in their types against the headers.

/// Like `TfLiteModelCreate`, with an error reporter.
@_cdecl("TfLiteModelCreateWithErrorReporter")
public func createModelReporting(
  _ data: UnsafeRawPointer?, _ size: Int,
  _ function: (
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafeMutableRawPointer?)
      -> Void
  )?, _ userData: UnsafeMutableRawPointer?
) -> OpaquePointer? {
  createModel(data, size, ErrorReporter(function: function, userData: userData))
}

/// Like `TfLiteModelCreateFromFile`, with an error reporter.
@_cdecl("TfLiteModelCreateFromFileWithErrorReporter")
public func createModelFromFileReporting(
  _ path: UnsafePointer<CChar>?,
  _ function: (
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafeMutableRawPointer?)
      -> Void
  )?, _ userData: UnsafeMutableRawPointer?
) -> OpaquePointer? {
  createModel(fromFile: path, ErrorReporter(function: function, userData: userData))
}

// Versions.

private let versions = CStrings(["2.17.1"])

@c @implementation public func TfLiteVersion() -> UnsafePointer<CChar>? { versions.pointers[0] }

@c @implementation public func TfLiteExtensionApisVersion() -> UnsafePointer<CChar>? {
  versions.pointers[0]
}

@c @implementation public func TfLiteSchemaVersion() -> Int32 { 3 }
