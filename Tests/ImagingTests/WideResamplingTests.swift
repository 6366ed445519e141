import OcellusImaging
import Testing

/// Resampling of pictures with opacity, 16-bit samples and floats.
///
/// Digests are as in `ResamplerDigests`, of 97x61 to 33x47, and of 33x47 to 97x61.
@Suite struct WideResamplingTests {
  private static let sizes = [
    (PixelSize(width: 97, height: 61), PixelSize(width: 33, height: 47)),
    (PixelSize(width: 33, height: 47), PixelSize(width: 97, height: 61)),
  ]

  private func digests(
    _ resampler: Resampler, of picture: (PixelSize) throws -> Image
  ) throws -> [UInt64] {
    try Self.sizes.map { from, to in
      try SyntheticPicture.digest(picture(from).resized(to: to, using: resampler).bytes)
    }
  }

  /// Digests equal Pillow's, which weights colours by opacity, and OpenCV's and TensorFlow's.
  @Test(
    arguments: [
      (.pillowBicubic, [0x734e_67c5_ac20_ad18, 0xba25_a9de_36a7_2b00]),
      (.pillowBox, [0x2a1_fd8e_d44c_8699, 0xe5b5_3177_68bd_4594]),
      (.openCVLinear, [0xa166_1fa0_57f4_14c0, 0xc18e_e810_6555_c616]),
      (.openCVArea, [0xe2cb_a57d_cb7f_37bf, 0x9902_907e_1caf_7861]),
      (.tensorFlowBilinear, [0xed37_b208_0159_fc14, 0x3e5e_84cd_1c12_acfd]),
      (.pillowNearest, [0xd30e_9c44_a8f8_2755, 0xe883_581f_27a4_da8d]),
    ] as [(Resampler, [UInt64])])
  func opacity(resampler: Resampler, expected: [UInt64]) throws {
    let found = try digests(resampler) { size in
      try Image(.rgba8, size: size, bytes: SyntheticPicture.bytes(size, channels: 4))
    }
    #expect(found == expected)
  }

  /// Digests of 16-bit gray equal Pillow's mode `I;16`, whose sharper kernels overflow.
  @Test(
    arguments: [
      (.pillowBox, [0xd6dd_0e26_09c7_e944, 0xa07d_3209_58fa_6681]),
      (.pillowNearest, [0x61eb_4556_831d_14fb, 0xa07d_3209_58fa_6681]),
    ] as [(Resampler, [UInt64])])
  func deepGray(resampler: Resampler, expected: [UInt64]) throws {
    let found = try digests(resampler) { size in
      var bytes = SyntheticPicture.bytes(size, channels: 2)
      for high in stride(from: 0, to: bytes.count, by: 2) { bytes.swapAt(high, high + 1) }
      return try Image(.gray16, size: size, bytes: bytes)
    }
    #expect(found == expected)
  }

  /// Bytes converted to 16 bits give the results of bytes, up to the rounding of two passes.
  @Test(arguments: Resampler.allCases)
  func deepGrayIsLikeBytes(resampler: Resampler) throws {
    for (from, to) in Self.sizes {
      let gray = try Image(
        .gray8, size: from, bytes: SyntheticPicture.bytes(from, channels: 1))
      let bytes = try gray.resized(to: to, using: resampler).bytes
      let wide = try gray.converted(to: .gray16).resized(to: to, using: resampler)
      let values = wide.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
      #expect(zip(bytes, values).allSatisfy { abs(Int($0) * 257 - Int($1)) <= 2 * 257 })
    }
  }

  /// Digests of planar floats (a seventh of the bytes) equal LiteRT's float kernels.
  @Test(
    arguments: [
      (.tensorFlowBilinear, [0x93f8_3da5_6a98_cbe6, 0xa506_42e6_a38f_355a]),
      (.tensorFlowBilinearAlignCorners, [0x6a6c_7f23_7d1e_d06b, 0xfaf5_7cff_db74_875f]),
      (.tensorFlowNearest, [0xf202_af3a_fca1_46e8, 0x77c9_18f8_7da2_5acf]),
    ] as [(Resampler, [UInt64])])
  func floats(resampler: Resampler, expected: [UInt64]) throws {
    #expect(try digests(resampler) { try floatPicture($0, channels: 3) } == expected)
  }

  /// Digests equal Pillow's mode `F`.
  @Test(
    arguments: [
      (.pillowBicubic, [0x79e5_589e_42bc_1393, 0xf999_1ffd_eeed_1a2b]),
      (.pillowLanczos, [0xc560_3155_2b1d_b1cc, 0x894d_4a04_bac8_bd4e]),
    ] as [(Resampler, [UInt64])])
  func floatsOfPillow(resampler: Resampler, expected: [UInt64]) throws {
    #expect(try digests(resampler) { try floatPicture($0, channels: 1) } == expected)
  }

  private func floatPicture(_ size: PixelSize, channels: Int) throws -> Image {
    let bytes = SyntheticPicture.bytes(size, channels: channels)
    let planes = (0..<channels).flatMap { channel in
      stride(from: channel, to: bytes.count, by: channels).map { Float(bytes[$0]) / 7 }
    }
    return try Image(
      .planarFloat(channels: channels), size: size,
      bytes: planes.withUnsafeBytes { Array($0) })
  }
}
