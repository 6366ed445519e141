/// Digests of the PNG suite as Pillow 13.0.0 decodes it, in the formats of this package's decoder.
///
/// A digest is FNV-1a (64 bits) of the format and the size, as in "rgb8 32x32", and the bytes of
/// the rows; gray of 16 bits is little-endian. Pillow drops a transparent gray (except with 8
/// bits), so its opacity was computed from the gray values.
enum PNGSuiteTruth {
  static let digests: [String: UInt64] = Dictionary(
    uniqueKeysWithValues: zip(words.indices, words).compactMap { index, word in
      index % 2 == 0 ? UInt64(words[index + 1], radix: 16).map { (String(word), $0) } : nil
    })

  private static let words = table.split { $0 == " " || $0 == "\n" }

  private static let table = """
    PngSuite f6af6bd0c7eeed9f  basi0g01 9d92f5597d01cfd6  basi0g02 cee8d6c4592e9d9c
    basi0g04 366f9e39483acf9c  basi0g08 758c3d9268b53de4  basi0g16 2442e4e83808ef3f
    basi2c08 196d360ef524472a  basi2c16 24a91a81f92353ea  basi3p01 ba1253e416f6d42a
    basi3p02 cbd23c05c50c2b2a  basi3p04 55ed2a66ff0fe86a  basi3p08 082296045cbcae6a
    basi4a08 5b54dae9a09278cf  basi4a16 bf89cbaf0d180da7  basi6a08 2984b4a8c7db965f
    basi6a16 daada1441ddea637  basn0g01 9d92f5597d01cfd6  basn0g02 cee8d6c4592e9d9c
    basn0g04 366f9e39483acf9c  basn0g08 758c3d9268b53de4  basn0g16 2442e4e83808ef3f
    basn2c08 196d360ef524472a  basn2c16 24a91a81f92353ea  basn3p01 ba1253e416f6d42a
    basn3p02 cbd23c05c50c2b2a  basn3p04 55ed2a66ff0fe86a  basn3p08 082296045cbcae6a
    basn4a08 5b54dae9a09278cf  basn4a16 bf89cbaf0d180da7  basn6a08 2984b4a8c7db965f
    basn6a16 daada1441ddea637  bgai4a08 5b54dae9a09278cf  bgai4a16 bf89cbaf0d180da7
    bgan6a08 2984b4a8c7db965f  bgan6a16 daada1441ddea637  bgbn4a08 5b54dae9a09278cf
    bggn4a16 bf89cbaf0d180da7  bgwn6a08 2984b4a8c7db965f  bgyn6a16 daada1441ddea637
    ccwn2c08 8941e006ef574fdf  ccwn3p08 da15aadaf5a4cb43  cdfn2c08 892307118b3f6f0f
    cdhn2c08 88e9ed60d6b0a4ed  cdsn2c08 256714df62e0c434  cdun2c08 6dfb8e5c86611fc2
    ch1n3p04 55ed2a66ff0fe86a  ch2n3p08 082296045cbcae6a  cm0n0g04 91ace19d1e6da035
    cm7n0g04 91ace19d1e6da035  cm9n0g04 91ace19d1e6da035  cs3n2c16 41dea4746fc5172a
    cs3n3p08 d48534d7cbe553aa  cs5n2c08 e66909a2693830aa  cs5n3p08 e66909a2693830aa
    cs8n2c08 41dea4746fc5172a  cs8n3p08 41dea4746fc5172a  ct0n0g04 91ace19d1e6da035
    ct1n0g04 91ace19d1e6da035  cten0g04 fe9c331de678e33c  ctfn0g04 b26484c9e955b79c
    ctgn0g04 b4b898a39d7dbfdc  cthn0g04 e08586ae44fc960c  ctjn0g04 f4d1d1433a6cb9cc
    ctzn0g04 91ace19d1e6da035  exif2c08 c495b00f21e1093a  f00n0g08 9cbde4a8cd2d0eea
    f00n2c08 f8e13c4b960445d7  f01n0g08 0f2f4a28bb744ca3  f01n2c08 11b11905114b3e1d
    f02n0g08 239838f2fafc3a85  f02n2c08 30f41d7ca0299f91  f03n0g08 da63b4ec2a657633
    f03n2c08 47479e387da05921  f04n0g08 21429a3ec33ce046  f04n2c08 a89a607645941cdb
    f99n0g04 dba80e44049b27b0  g03n0g16 8c7a9e437cae6bdf  g03n2c08 b5dc9db5cb1a1c5b
    g03n3p04 cfadf3656d1b37e3  g04n0g16 c8ba387695dddb79  g04n2c08 6fa46e00b928b60b
    g04n3p04 9dacd8649c9ea130  g05n0g16 52c878ebd6501f93  g05n2c08 06f38b0d5895afdd
    g05n3p04 20f8b8988c880a95  g07n0g16 92fecb589899cf79  g07n2c08 ad65bcef950fdb3b
    g07n3p04 706c8a1e15cf947b  g10n0g16 b4711685b436e0e3  g10n2c08 08c53d0d9cfdb886
    g10n3p04 a5c1833411d76b1b  g25n0g16 abb5d7c3f093614f  g25n2c08 5bd38bfc2730b953
    g25n3p04 6fd2ad766134f2af  oi1n0g16 2442e4e83808ef3f  oi1n2c16 24a91a81f92353ea
    oi2n0g16 2442e4e83808ef3f  oi2n2c16 24a91a81f92353ea  oi4n0g16 2442e4e83808ef3f
    oi4n2c16 24a91a81f92353ea  oi9n0g16 2442e4e83808ef3f  oi9n2c16 24a91a81f92353ea
    pp0n2c16 24a91a81f92353ea  pp0n6a08 0c3a48ac51c701a7  ps1n0g08 758c3d9268b53de4
    ps1n2c16 24a91a81f92353ea  ps2n0g08 758c3d9268b53de4  ps2n2c16 24a91a81f92353ea
    s01i3p01 cc4fc07fc84155c9  s01n3p01 cc4fc07fc84155c9  s02i3p01 d8dcf405eb59a5c4
    s02n3p01 d8dcf405eb59a5c4  s03i3p01 3ce6b7f3ff398ebe  s03n3p01 3ce6b7f3ff398ebe
    s04i3p01 08df42f5e392f194  s04n3p01 08df42f5e392f194  s05i3p02 28b6698f1e6742ea
    s05n3p02 28b6698f1e6742ea  s06i3p02 1e7b29da2da476f8  s06n3p02 1e7b29da2da476f8
    s07i3p02 1bab776a98e06a24  s07n3p02 1bab776a98e06a24  s08i3p02 20d105ed3cd69a08
    s08n3p02 20d105ed3cd69a08  s09i3p02 cda8b4398ad1f5d3  s09n3p02 cda8b4398ad1f5d3
    s32i3p04 4c83668aca1a7418  s32n3p04 4c83668aca1a7418  s33i3p04 05721979c684f221
    s33n3p04 05721979c684f221  s34i3p04 fd6f1f1098a654c6  s34n3p04 fd6f1f1098a654c6
    s35i3p04 e7f41ee7792176f2  s35n3p04 e7f41ee7792176f2  s36i3p04 f231a074f4cfa542
    s36n3p04 f231a074f4cfa542  s37i3p04 6dd4fc3406303758  s37n3p04 6dd4fc3406303758
    s38i3p04 de189a884a5667bc  s38n3p04 de189a884a5667bc  s39i3p04 427270c989969c0b
    s39n3p04 427270c989969c0b  s40i3p04 373020de3814bf34  s40n3p04 373020de3814bf34
    tbbn0g04 f4f1e931d7f947f2  tbbn2c16 b826d2d825c5c242  tbbn3p08 f02074de3c38995d
    tbgn2c16 b826d2d825c5c242  tbgn3p08 f02074de3c38995d  tbrn2c08 b826d2d825c5c242
    tbwn0g16 8b58ffa9dbaf6050  tbwn3p08 f02074de3c38995d  tbyn3p08 f02074de3c38995d
    tm3n3p02 4db6d7fff6ca05a7  tp0n0g08 1678378c8171e3e9  tp0n2c08 a844dc14588133dc
    tp0n3p08 b512ca8101403c88  tp1n3p08 f02074de3c38995d  z00n2c08 c88db9455cf96604
    z03n2c08 c88db9455cf96604  z06n2c08 c88db9455cf96604  z09n2c08 c88db9455cf96604
    """
}
