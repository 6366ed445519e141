import Accelerate
import Testing

/// The functions of vImage.
///
/// Resizing equals Pillow's LANCZOS for each channel alone.
@Suite struct VImageTests {
  private let noFlags = vImage_Flags(kvImageNoFlags)

  @Test func channelsAreResizedEachForItself() {
    let source = PixelRows(Pixels.samples(channels: 4), width: 6, height: 5, bytesPerPixel: 4)
    let result = PixelRows(width: 3, height: 4, bytesPerPixel: 4)
    var (from, to) = (source.buffer, result.buffer)
    #expect(vImageScale_ARGB8888(&from, &to, nil, noFlags) == kvImageNoError)
    #expect(
      result.samples == [
        27, 98, 152, 192, 123, 148, 177, 105, 135, 174, 147, 89, 169, 174, 138, 115, 134, 99, 105,
        139, 79, 126, 140, 146, 99, 99, 115, 169, 127, 160, 168, 133, 169, 148, 119, 129, 125, 164,
        134, 82, 162, 117, 119, 129, 127, 159, 125, 96,
      ])
    #expect(result.isPaddingIntact)
    #expect(source.samples == Pixels.samples(channels: 4))
  }

  @Test func planesAreResized() {
    let source = PixelRows(Pixels.samples(channels: 1), width: 6, height: 5, bytesPerPixel: 1)
    let result = PixelRows(width: 8, height: 7, bytesPerPixel: 1)
    var (from, to) = (source.buffer, result.buffer)
    #expect(vImageScale_Planar8(&from, &to, nil, noFlags) == kvImageNoError)
    #expect(
      result.samples == [
        0, 14, 46, 65, 92, 137, 183, 200, 34, 52, 102, 160, 196, 107, 65, 104, 136, 173, 173, 155,
        201, 72, 18, 88, 174, 236, 163, 17, 66, 112, 155, 183, 47, 91, 98, 82, 153, 249, 185, 63,
        37, 64, 151, 195, 141, 178, 161, 85, 116, 146, 237, 226, 51, 41, 149, 195,
      ])
    #expect(result.isPaddingIntact)
  }

  @Test func floatsAreResized() {
    var (values, results): ([Float], [Float]) = ([0, 10, -5, 3], [0, 0])
    let code = values.withUnsafeMutableBytes { values in
      results.withUnsafeMutableBytes { results in
        var from = vImage_Buffer(data: values.baseAddress, height: 1, width: 4, rowBytes: 16)
        var to = vImage_Buffer(data: results.baseAddress, height: 1, width: 2, rowBytes: 8)
        return vImageScale_PlanarF(&from, &to, nil, noFlags)
      }
    }
    #expect(code == kvImageNoError)
    #expect(abs(results[0] - 3.729483) < 1e-4 && abs(results[1] - 0.480723) < 1e-4)
  }

  /// A part of a picture is resized as if it were one: the samples do, to crop.
  @Test func partsAreResized() {
    let source = PixelRows(Pixels.samples(channels: 4), width: 6, height: 5, bytesPerPixel: 4)
    let corner = (0..<9).flatMap { place in
      (0..<4).map { Pixels.sample(place % 3 + 2, place / 3 + 1, $0) }
    }
    let copy = PixelRows(corner, width: 3, height: 3, bytesPerPixel: 4)
    let results = (0..<2).map { _ in PixelRows(width: 2, height: 2, bytesPerPixel: 4) }
    var part = vImage_Buffer(
      data: source.buffer.data + (source.buffer.rowBytes + 8), height: 3, width: 3,
      rowBytes: source.buffer.rowBytes)
    var (whole, first, second) = (copy.buffer, results[0].buffer, results[1].buffer)
    #expect(vImageScale_ARGB8888(&part, &first, nil, noFlags) == kvImageNoError)
    #expect(vImageScale_ARGB8888(&whole, &second, nil, noFlags) == kvImageNoError)
    #expect(results[0].samples == results[1].samples)
  }

  @Test func noWorkingMemoryIsNeeded() {
    let source = PixelRows(width: 6, height: 5, bytesPerPixel: 4)
    var (from, to) = (source.buffer, source.buffer)
    let asked = vImage_Flags(kvImageGetTempBufferSize)
    #expect(vImageScale_ARGB8888(&from, &to, nil, asked) == 0)
  }

  @Test func buffersThatMakeNoSenseAreErrors() {
    let rows = PixelRows(width: 6, height: 5, bytesPerPixel: 4)
    var (good, none, flat, narrow) = (rows.buffer, rows.buffer, rows.buffer, rows.buffer)
    none.data = nil
    flat.height = 0
    narrow.rowBytes = 23
    #expect(vImageScale_ARGB8888(&none, &good, nil, noFlags) == kvImageNullPointerArgument)
    #expect(vImageScale_ARGB8888(&flat, &good, nil, noFlags) == kvImageInvalidParameter)
    #expect(vImageScale_ARGB8888(&good, &narrow, nil, noFlags) == kvImageInvalidRowBytes)
    var huge = rows.buffer
    (huge.width, huge.height) = (.max, .max)
    #expect(vImageScale_ARGB8888(&huge, &good, nil, noFlags) == kvImageInvalidParameter)
    var small = rows.buffer
    small.height = 4
    #expect(
      vImageConvert_BGRA8888toRGB888(&small, &good, noFlags) == kvImageRoiLargerThanInputBuffer)
    #expect(
      vImagePermuteChannels_ARGB8888(&good, &good, [0, 1, 2, 4], noFlags)
        == kvImageInvalidParameter)
    #expect(vImageCopyBuffer(&good, &good, 0, noFlags) == kvImageInvalidParameter)
  }

  // MARK: Conversions, with two pixels

  private func converted(
    _ samples: [UInt8], from sourceBytes: Int, to resultBytes: Int,
    _ convert: (UnsafePointer<vImage_Buffer>, UnsafePointer<vImage_Buffer>) -> vImage_Error
  ) -> [UInt8] {
    let width = samples.count / sourceBytes
    let source = PixelRows(samples, width: width, height: 1, bytesPerPixel: sourceBytes)
    let result = PixelRows(width: width, height: 1, bytesPerPixel: resultBytes)
    var (from, to) = (source.buffer, result.buffer)
    #expect(convert(&from, &to) == kvImageNoError)
    #expect(result.isPaddingIntact)
    return result.samples
  }

  @Test func alphaIsDropped() {
    let pixels: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    #expect(
      converted(pixels, from: 4, to: 3) { vImageConvert_BGRA8888toRGB888($0, $1, noFlags) }
        == [3, 2, 1, 7, 6, 5])
    #expect(
      converted(pixels, from: 4, to: 3) { vImageConvert_RGBA8888toRGB888($0, $1, noFlags) }
        == [1, 2, 3, 5, 6, 7])
    #expect(
      converted(pixels, from: 4, to: 3) { vImageConvert_ARGB8888toRGB888($0, $1, noFlags) }
        == [2, 3, 4, 6, 7, 8])
  }

  @Test func alphaIsAdded() {
    let pixels: [UInt8] = [100, 200, 30, 4, 5, 6]
    #expect(
      converted(pixels, from: 3, to: 4) {
        vImageConvert_RGB888toBGRA8888($0, nil, 9, $1, false, noFlags)
      } == [30, 200, 100, 9, 6, 5, 4, 9])
    #expect(
      converted(pixels, from: 3, to: 4) {
        vImageConvert_RGB888toARGB8888($0, nil, 255, $1, true, noFlags)
      } == [255, 100, 200, 30, 255, 4, 5, 6])
    let alphas = PixelRows([51, 0], width: 2, height: 1, bytesPerPixel: 1)
    var alpha = alphas.buffer
    #expect(
      converted(pixels, from: 3, to: 4) {
        vImageConvert_RGB888toRGBA8888($0, &alpha, 255, $1, true, noFlags)
      } == [20, 40, 6, 51, 0, 0, 0, 0])
  }

  @Test func channelsChangePlaces() {
    #expect(
      converted([1, 2, 3, 4, 5, 6, 7, 8], from: 4, to: 4) {
        vImagePermuteChannels_ARGB8888($0, $1, [3, 2, 1, 0], noFlags)
      } == [4, 3, 2, 1, 8, 7, 6, 5])
  }

  @Test func bytesBecomeFloatsAndFloatsBytes() {
    let floats = converted([0, 51, 255], from: 1, to: 4) {
      vImageConvert_Planar8toPlanarF($0, $1, 1, -1, noFlags)
    }
    let values = floats.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(zip(values, [-1, -0.6, 1]).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(
      converted(floats, from: 4, to: 1) { vImageConvert_PlanarFtoPlanar8($0, $1, 0.5, -1, noFlags) }
        == [0, 68, 255])
  }

  // MARK: Turns

  @Test func picturesAreTurned() {
    // The pixels are numbered 0…5 in two rows of three.
    let pixels = (0..<6).flatMap { [UInt8](repeating: $0, count: 4) }
    func turned(
      _ width: Int, _ height: Int,
      _ turn: (UnsafePointer<vImage_Buffer>, UnsafePointer<vImage_Buffer>) -> vImage_Error
    ) -> [UInt8] {
      let source = PixelRows(pixels, width: 3, height: 2, bytesPerPixel: 4)
      let result = PixelRows(width: width, height: height, bytesPerPixel: 4)
      var (from, to) = (source.buffer, result.buffer)
      #expect(turn(&from, &to) == kvImageNoError)
      return stride(from: 0, to: 24, by: 4).map { result.samples[$0] }
    }
    let black: [UInt8] = [0, 0, 0, 0]
    #expect(
      turned(3, 2) { vImageHorizontalReflect_ARGB8888($0, $1, noFlags) } == [2, 1, 0, 5, 4, 3])
    #expect(turned(3, 2) { vImageVerticalReflect_ARGB8888($0, $1, noFlags) } == [3, 4, 5, 0, 1, 2])
    #expect(
      turned(2, 3) {
        vImageRotate90_ARGB8888($0, $1, kRotate90DegreesClockwise, black, noFlags)
      } == [3, 0, 4, 1, 5, 2])
    #expect(
      turned(2, 3) {
        vImageRotate90_ARGB8888($0, $1, kRotate90DegreesCounterClockwise, black, noFlags)
      } == [2, 5, 1, 4, 0, 3])
    #expect(
      turned(3, 2) {
        vImageRotate90_ARGB8888($0, $1, kRotate180DegreesClockwise, black, noFlags)
      } == [5, 4, 3, 2, 1, 0])
    let rows = PixelRows(pixels, width: 3, height: 2, bytesPerPixel: 4)
    var (from, to) = (rows.buffer, rows.buffer)
    #expect(
      vImageRotate90_ARGB8888(&from, &to, kRotate90DegreesClockwise, black, noFlags)
        == kvImageBufferSizeMismatch)
  }
}
