import OcellusTestSupport
import Testing

@testable import OcellusStore

@Suite struct RolloutTests {
  private func offered(_ rollouts: [Double?]) throws -> [OfferedVersion] {
    let address = try WebAddress("https://example.org/a")
    return rollouts.enumerated().map { index, rollout in
      var version = OfferedVersion(
        version: "\(index)", model: .init(place: .web(address), sha256: nil, byteCount: nil))
      version.rollout = rollout
      return version
    }
  }

  private func versions(_ rollouts: [Double?], count: Int = 4000) throws -> [String?] {
    let (offered, name) = (try offered(rollouts), try ModelName("model"))
    return (0..<count).map { key in
      RolloutBucket(key: "machine \(key)", model: name).version(of: offered)?.version
    }
  }

  @Test func sharesAreAsLargeAsTheyShouldBe() throws {
    let versions = try versions([10, 30, nil])
    #expect(abs(versions.count { $0 == "0" } - 400) < 80)
    #expect(abs(versions.count { $0 == "1" } - 1200) < 120)
    #expect(versions.allSatisfy { $0 != nil })
  }

  /// A machine keeps its version when the share of that version grows, and in each later query.
  @Test func sharesThatGrowKeepWhoIsInThem() throws {
    let (few, many) = (try versions([10, nil]), try versions([50, nil]))
    #expect(few == (try versions([10, nil])))
    for (before, after) in zip(few, many) where before == "0" { #expect(after == "0") }
    #expect(try versions([100, nil]).allSatisfy { $0 == "0" })
    #expect(try versions([0, nil]).allSatisfy { $0 == "1" })
  }

  @Test func whatIsLeftGetsNothing() throws {
    #expect(abs(try versions([25]).count { $0 == nil } - 3000) < 120)
  }

  @Test func modelsAreIndependent() throws {
    let (one, other) = (try ModelName("one"), try ModelName("other"))
    let both = (0..<4000).count { key in
      RolloutBucket(key: "\(key)", model: one).percent < 50
        && RolloutBucket(key: "\(key)", model: other).percent < 50
    }
    #expect(abs(both - 1000) < 120)
  }

  /// Buckets equal Python's int.from_bytes(sha256(b"model\nkey").digest()[:7], "big") / 2**56.
  @Test func placesAreTheSameEverywhere() throws {
    let bucket = RolloutBucket(key: "key", model: try ModelName("model"))
    #expect(abs(bucket.percent - 37.65732622215249) < 1e-9)
  }
}
