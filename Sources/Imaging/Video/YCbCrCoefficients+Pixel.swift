import OcellusKernelABI

extension YCbCrCoefficients {
  /// Converts a pixel to RGB, with the same results as the row kernels.
  func rgb(luma: UInt8, cb: UInt8, cr: UInt8) -> (UInt8, UInt8, UInt8) {
    let brightness = max(Int32(luma) - lumaOffset, 0) * toRGB.luma + 1 << 19
    let (cb, cr) = (Int32(cb) - 128, Int32(cr) - 128)
    return (
      UInt8(clamping: (brightness + cr * toRGB.redFromCr) >> 20),
      UInt8(clamping: (brightness + cr * toRGB.greenFromCr + cb * toRGB.greenFromCb) >> 20),
      UInt8(clamping: (brightness + cb * toRGB.blueFromCb) >> 20)
    )
  }

  /// Converts a pixel to YCbCr.
  func yCbCr(red: UInt8, green: UInt8, blue: UInt8) -> (luma: UInt8, cb: UInt8, cr: UInt8) {
    func mix(_ weights: Weights, _ offset: Int32) -> UInt8 {
      let sum = Int32(red) * weights.red + Int32(green) * weights.green
      return UInt8(clamping: (sum + Int32(blue) * weights.blue + offset << 20 + 1 << 19) >> 20)
    }
    return (mix(toLuma, lumaOffset), mix(toCb, 128), mix(toCr, 128))
  }
}
