import Foundation
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct ModelBytesTests {
  private func error(opening path: String) -> ModelFileError? {
    do throws(ModelFileError) {
      _ = try ModelBytes(path: path)
      return nil
    } catch {
      return error
    }
  }

  @Test func filesAreMapped() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/model.tflite"
    let content = HandMadeModel().bytes
    try Data(content).write(to: URL(filePath: path))
    let bytes = try ModelBytes(path: path)
    // The mapping stays valid after its file is removed.
    try FileManager.default.removeItem(atPath: path)
    #expect(withExtendedLifetime(bytes) { Array(bytes.buffer) } == content)
    #expect(try ModelFile(bytes).description == "hand-made")
  }

  @Test func errorsNameTheFile() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/model.tflite"
    try Data("nonsense, but long enough".utf8).write(to: URL(filePath: path))
    #expect { try ModelFile(path: path) } throws: {
      let error = $0 as? ModelFileError
      return error?.path == path && error?.byteOffset == 4 && error?.kind == .malformed
    }
  }

  @Test func whatIsNoFileWithContentIsRefused() throws {
    let folder = try TemporaryDirectory()
    let empty = folder.path + "/empty"
    let pipe = folder.path + "/pipe"
    try Data().write(to: URL(filePath: empty))
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(error(opening: folder.path + "/missing")?.kind == .unreadable)
    #expect(error(opening: folder.path)?.kind == .unreadable)
    #expect(error(opening: pipe)?.kind == .unreadable)
    #expect(error(opening: empty)?.kind == .malformed)
  }

  @Test func copiesAreAlignedForKernels() {
    let bytes = ModelBytes([1, 2, 3])
    #expect(bytes.buffer.baseAddress.map { Int(bitPattern: $0) % 64 } == 0)
    #expect(withExtendedLifetime(bytes) { Array(bytes.buffer) } == [1, 2, 3])
    #expect(ModelBytes([]).buffer.isEmpty)
  }

  @Test func borrowedMemoryKeepsItsOwner() {
    final class Owner: Sendable {}
    var owner: Owner? = Owner()
    weak let watched = owner
    var bytes: ModelBytes? = ModelBytes(borrowing: .init(start: nil, count: 0), owner: owner)
    owner = nil
    #expect(watched != nil && bytes != nil)
    bytes = nil
    #expect(watched == nil)
  }
}
