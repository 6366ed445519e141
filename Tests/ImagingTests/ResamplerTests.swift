import OcellusImaging
import Testing

@Suite struct ResamplerTests {
  /// Sizes before and after: up and down, by odd, even and whole factors, and single pixels.
  static let sizes: [(from: PixelSize, to: PixelSize)] = [
    (97, 61, 33, 47), (33, 47, 97, 61), (64, 48, 32, 24), (60, 45, 20, 15), (60, 45, 20, 9),
    (101, 77, 100, 76), (37, 53, 75, 107), (333, 7, 111, 7), (50, 50, 25, 73), (3, 5, 17, 11),
    (5, 3, 1, 1), (1, 1, 7, 5), (211, 157, 23, 19),
  ].map { (PixelSize(width: $0.0, height: $0.1), PixelSize(width: $0.2, height: $0.3)) }

  @Test(arguments: Resampler.allCases)
  func everyBitIsTheLibrarys(resampler: Resampler) throws {
    let digests = try #require(resamplerDigests[resampler.name])
    for (sizes, digest) in zip(Self.sizes, digests) {
      let result = try SyntheticPicture.rgb(sizes.from).resized(to: sizes.to, using: resampler)
      #expect(result.size == sizes.to)
      #expect(
        SyntheticPicture.digest(result.bytes) == digest,
        "\(resampler.name) from \(sizes.from) to \(sizes.to)")
    }
  }

  @Test func namesLeadBack() throws {
    for resampler in Resampler.allCases {
      #expect(try Resampler(named: resampler.name) == resampler)
    }
    let error = #expect(throws: ImageError.self) { try Resampler(named: "bilinear") }
    #expect(error?.message.contains("\"bilinear\"; there are tf-nearest, tf-bilinear") == true)
  }
}
