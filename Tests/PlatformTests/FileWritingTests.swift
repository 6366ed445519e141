import Foundation
import OcellusPlatform
import OcellusTestSupport
import Testing

/// A file that is replaced has the old or the new contents, never a mixture.
@Suite struct FileWritingTests {
  private let folder: TemporaryDirectory
  private var file: String { folder.path + "/file" }

  init() throws { folder = try TemporaryDirectory() }

  private var names: [String] { (try? FileSystem.entries(of: folder.path)) ?? [] }

  @Test func theOldFileStaysUntilTheNewOneIsComplete() throws {
    try FileSystem.write(Array("old".utf8), to: file)
    let writer = try OpenFile(writing: file)
    try writer.write(Array("new".utf8))
    #expect(try FileSystem.read(file) == Array("old".utf8))
    try writer.close()
    #expect(try FileSystem.read(file) == Array("new".utf8))
    #expect(names == ["file"])
  }

  @Test func whatIsNotCompletedLeavesNothing() throws {
    for _ in 0..<2 {
      let writer = try OpenFile(writing: file)
      try writer.write([1])
    }
    #expect(names.isEmpty)
  }

  @Test func permissionsAndLinksStay() throws {
    try FileSystem.write([1], to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file")
    try FileSystem.write([2], to: link)
    #expect(try FileSystem.read(file) == [2])
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(names == ["file", "link"])
  }

  @Test func devicesAreWrittenToAtOnce() throws {
    let error = #expect(throws: FileError.self) { try FileSystem.write([1], to: "/dev/full") }
    #expect(error?.problem == .system(ENOSPC))
    try FileSystem.write([1], to: "/dev/null")
  }

  @Test func whatIsMissingIsNamed() {
    let missing = folder.path + "/nowhere/file"
    let error = #expect(throws: FileError.self) { try FileSystem.write([1], to: missing) }
    #expect(error?.description == "\(missing): there is no folder '\(folder.path)/nowhere'")
    #expect(throws: FileError.self) { try FileSystem.write([1], to: folder.path) }
  }

  @Test func oneFileHasOneIdentity() throws {
    try FileSystem.write([1], to: file)
    let there = FileSystem.identity(of: file)
    #expect(
      there == FileSystem.identity(of: folder.path + "/../\(folder.path.lastPathComponent)/file"))
    #expect(there != FileSystem.identity(of: folder.path + "/new"))
    #expect(
      FileSystem.identity(of: folder.path + "/new")
        == FileSystem.identity(of: folder.path + "/./new"))
  }
}
