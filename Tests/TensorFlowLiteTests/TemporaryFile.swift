import Foundation

/// A file that exists while a test runs.
struct TemporaryFile: ~Copyable {
  let path: String

  init(_ data: Data) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).tflite")
    try data.write(to: url)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension Data {
  init<Element>(copyingBufferOf array: [Element]) {
    self = array.withUnsafeBufferPointer(Data.init)
  }
}

extension Array {
  /// Creates the elements of `data`, or `nil` unless it holds a whole number of them.
  init?(unsafeData data: Data) where Element: BitwiseCopyable {
    guard data.count % MemoryLayout<Element>.stride == 0 else { return nil }
    self = data.withUnsafeBytes { Array($0.bindMemory(to: Element.self)) }
  }
}
