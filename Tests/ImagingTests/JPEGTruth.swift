/// Means of the JPEG files as decoded by libjpeg-turbo's program djpeg 2.1.5.
///
/// A line has the name, the size, and the rounded means of all channels in nine blocks, three by
/// three, in hexadecimal.
enum JPEGTruth {
  struct Picture: Sendable, CustomStringConvertible {
    var name: String
    var size: String
    var means: [Double]

    var description: String { name }
  }

  static let pictures: [Picture] = table.split(separator: "\n").map { line in
    let words = line.split(separator: " ").map(String.init)
    let digits = Array(words[2])
    let means = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16).map(Double.init)
    }
    return Picture(name: words[0], size: words[1], means: means)
  }

  private static let table = """
    exif_gps 8x8 000000000000000000000000000000000000000000000000000000
    hopper 128x128 3b344e78635f4b6fb15b393db570546d8bc12d26284d4344302c3e
    hopper_16bit_qtables 128x128 3d344e7b62604d6eb25a3b3db570536c8cbe2d27294b4340312c3f
    hopper_gray 128x128 39696c44818828462f
    invalid-exif 200x200 d8d8d89c9c9c343434a1a1a1767676232323383838242424050505
    junk_jpeg_header 1024x768 c1def6e1f1f9989dac85756d7064614c403941372d342f292e2823
    multiple_exif 1x1 000000000000000000
    no-dpi-in-exif 200x200 d8d8d89c9c9c343434a1a1a1767676232323383838242424050505
    orientation_rectangle 2x1 fe0000fe0000fe0000fe0000fe0000fe0000fe0000fe0000fe0000
    pil_sample_cmyk 100x100 1f05070b040609040652080c40070a4b080b010405010405010405
    pil_sample_rgb 100x100 1c04030a02010801014d0d0a3e0b08460b09000000000000000000
    reftest/16bit-qtables 1x1 857d2c857d2c857d2c857d2c857d2c857d2c857d2c857d2c857d2c
    reftest/blank_800x280 800x280 ffffffffffffffffff
    reftest/extraneous-data 16x16 dada0188da012fd90dd988018787092e8749d82e0c872e492d2ea1
    reftest/grayscale_16x24_sampling2x2 16x24 91776a73646a757784
    reftest/grayscale_24x16_sampling2x2 24x16 9769887e8382858a93
    reftest/grayscale_large 1000x1 7c7f807c7f807c7f80
    reftest/grayscale_long 1x1000 8080807c7c7c7e7e7e
    reftest/grayscale_square 10x10 7b878c6d887c615872
    reftest/mjpeg 960x720 af917ba3825e65392b954b37a2593b6c2a1a7622119a422f9a5a3c
    reftest/mozilla_jpg-cmyk-1 32x32 dada0084da0029da0cda840084840b298452da290c8429522929ad
    reftest/mozilla_jpg-cmyk-2 256x256 f9fdfdfefff9fffffdfdfafdfbf6fafffffffbfafaf8f7f7ffffff
    reftest/mozilla_jpg-gray 32x32 daaf81af8356815629
    reftest/mozilla_jpg-progressive 32x32 dada0184da012ada0dda840084830c298452d9290d8329522929ab
    reftest/mozilla_jpg-size-15x15 15x15 d7d70180d7012ad610d680017f7f11297f56d5290f7e29552828ab
    reftest/mozilla_jpg-size-16x16 16x16 dada0188da012fd90dd988018787092e8749d82e0c872e492d2ea1
    reftest/mozilla_jpg-size-17x17 17x17 dcdc0288dc012cdb0cdb870187870b2c874cda2c0b862b4c2b2ba7
    reftest/mozilla_jpg-size-1x1 1x1 7f7f277f7f277f7f277f7f277f7f277f7f277f7f277f7f277f7f27
    reftest/mozilla_jpg-size-2x2 2x2 b3b35db3b35d8f8f39b3b35db3b35d8f8f396a6a146a6a14505000
    reftest/mozilla_jpg-size-31x31 31x31 d9d90084d9002bd90ed8840084840b2b8450d82b0d832b502b2ba9
    reftest/mozilla_jpg-size-32x32 32x32 dada0184da012ada0dda840084830c298452d9290d8329522929ab
    reftest/mozilla_jpg-size-33x33 33x33 d7d70080d70128d70fd7800180800f288057d6280f7f28582828ae
    reftest/mozilla_jpg-size-3x3 3x3 d0d32ab5b80f3ec0469c9f0082850013951bb43137a21f252928b0
    reftest/mozilla_jpg-size-4x4 4x4 dcde1bcacc094ed226b7b900a4a6002baf05c9431dba340e3c3c86
    reftest/mozilla_jpg-size-5x5 5x5 e5e717a9de1048d81ad6a20898980d3a9633ce3c0e92362e35357c
    reftest/mozilla_jpg-size-7x7 7x7 dcdc0897da073ed710d79503929008399038d23a0c8e3834363785
    reftest/mozilla_jpg-size-8x8 8x8 e0e10794de0535dc0fdb91038e8e0b308d41d8310b8c2f3f2e2f96
    reftest/mozilla_jpg-size-9x9 9x9 d7d60582d5042dd313d481037f7f152b7f53d02b107c2b51292aa3
    reftest/mozilla_jpg-srgb-icc 1x1 000000000000000000
    reftest/non-interleaved-mcu 64x16 020202020202020202020202020202020202020202020202020202
    reftest/partial_progressive 4x4 be47339e00ffda60809e00e7be4441d06236da569bd044abae3438
    reftest/progressive-missing-ac 8x8 ffffffffffffffffff
    reftest/progressive-missing-dc 8x8 ec9622ec9622ec9622
    reftest/progressive3 650x470 8688868d8d8a72787b6e72727c8383939da25c61638e9d98717270
    reftest/restarts 33x33 d7d70080d70128d70fd77f01807f0f288058d7280f7f28582828af
    rgb 100x100 8a2022241f20231f20682022772122502021231f20231f20231f20
    tower 512x512 4c87b95389b7508cbe6baade72a3cd6eaee27c91a0949da3909fa5
    tower_grayscale 512x512 7e8183a09ca48d9b9d
    truncated_jpeg 100x100 82807f807d7e7c817e82867d7b7f80817f7f837f7d827d8182837f
    turbo_testimgari 227x149 483f41a63e3499716f8f5d65dd3a36a470569a897ea35c524f523a
    turbo_testimgint 227x149 483f41a63e3499716f8f5d65dd3a36a470569a897ea35c524f523a
    turbo_testorig 227x149 483f41a63e3499726f8f5d65dd3a36a570569a897ea35d524f523a
    """
}
