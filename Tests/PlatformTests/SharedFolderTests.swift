import OcellusPlatform
import OcellusTestSupport
import Testing

/// Files and locks that processes with a shared folder rely on.
@Suite struct SharedFolderTests {
  private let folder: TemporaryDirectory
  private var file: String { folder.path + "/file" }

  init() throws { folder = try TemporaryDirectory() }

  @Test func locksExclude() throws {
    let (one, other) = (try OpenFile(toLock: file), try OpenFile(toLock: file))
    #expect(try one.tryLock(.shared))
    #expect(try other.tryLock(.shared))
    #expect(try !other.tryLock(.exclusive))
    try one.close()
    #expect(try other.tryLock(.exclusive))
    #expect(try !OpenFile(toLock: file).tryLock(.shared))
  }

  /// A lock ends with its owner, even if a child process has inherited the descriptor.
  @Test(arguments: [false, true])
  func locksEndWithTheirOwner(isClosed: Bool) throws {
    var inherited: Int32 = -1
    defer { close(inherited) }
    do {
      let one = try OpenFile(toLock: file)
      #expect(try one.tryLock(.exclusive))
      inherited = dup(one.descriptor)
      if isClosed { try one.close() }
    }
    #expect(try OpenFile(toLock: file).tryLock(.exclusive))
  }

  @Test func foldersCanBeLocked() throws {
    let (one, other) = (try OpenFile(folder: folder.path), try OpenFile(folder: folder.path))
    #expect(try one.tryLock(.shared))
    #expect(try !other.tryLock(.exclusive))
    try one.synchronize()
  }

  @Test func filesGrowAtTheirEnd() throws {
    try FileSystem.writeDurably([1], to: file)
    let more = try OpenFile(appendingTo: file)
    try more.write([2])
    #expect(try FileSystem.read(file) == [1, 2])
    try more.cut()
    try more.write([3])
    #expect(try FileSystem.read(file) == [3])
  }

  @Test func whatIsRemovedIsNotFollowed() throws {
    try FileSystem.createDirectory(folder.path + "/a/b")
    try FileSystem.write([1], to: folder.path + "/kept")
    symlink(folder.path + "/kept", folder.path + "/a/b/link")
    symlink(folder.path, folder.path + "/a/loop")
    try FileSystem.remove(folder.path + "/a")
    #expect(try FileSystem.entries(of: folder.path) == ["kept"])
    try FileSystem.remove(folder.path + "/a")
  }

  @Test func foldersGetOtherNames() throws {
    try FileSystem.createDirectory(folder.path + "/a")
    try FileSystem.write([1], to: folder.path + "/a/x")
    try FileSystem.rename(folder.path + "/a", to: folder.path + "/b")
    #expect(try FileSystem.entries(of: folder.path) == ["b"])
    #expect(throws: FileError.self) {
      try FileSystem.rename(folder.path + "/a", to: folder.path + "/b")
    }
  }
}
