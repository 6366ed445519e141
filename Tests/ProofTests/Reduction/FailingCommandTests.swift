import OcellusPlatform
import OcellusProof
import OcellusTestSupport
import Testing

/// Commands of the shell, which tests run on files.
@Suite struct FailingCommandTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func end(_ text: String, seconds: Double = 60) throws -> FailingCommand.End {
    try FailingCommand(text, reading: folder.path + "/it's a file", seconds: seconds)
      .end(of: Array("content".utf8))
  }

  @Test func exitCodesAndSignals() throws {
    #expect(try end("true") == .code(0))
    #expect(try end("exit 7 #") == .code(7))
    #expect(try end("kill -ABRT $$ #") == .code(134))
    #expect(try end("no-such-command-here") == .code(127))
  }

  @Test func pathIsGivenOnceOrWhereItIsWanted() throws {
    #expect(try end("grep -q content") == .code(0))
    #expect(try end("grep -q content {} && exit 3") == .code(3))
    #expect(try end("grep -q other {} || exit 4") == .code(4))
  }

  @Test func whatTakesTooLongIsKilled() throws {
    #expect(try end("(sleep 100; true); true", seconds: 0.2) == .tookTooLong)
  }
}
