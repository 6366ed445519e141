import OcellusEngine
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import Testing

/// A program can require that a model file has a given SHA-256 digest.
@Suite struct DemandedDigestTests {
  private let bytes = SyntheticLabeler.writer.bytes()

  @Test func theRightModelIsTaken() throws {
    let digest = SHA256.hash(bytes).hexadecimal
    _ = try Model(bytes: bytes, options: .init(sha256: digest))
    _ = try Model(bytes: bytes, options: .init(sha256: digest.uppercased()))
  }

  @Test func anotherModelIsNot() {
    let error = #expect(throws: ModelError.self) {
      try Model(bytes: bytes, options: .init(sha256: SHA256.hash([1]).hexadecimal))
    }
    #expect(error?.kind == .mismatch)
  }
}
