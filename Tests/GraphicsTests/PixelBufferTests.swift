import CoreMedia
import CoreVideo
import OcellusImaging
import Testing

@Suite struct PixelBufferTests {
  private func buffer(_ type: OSType, _ width: Int = 6, _ height: Int = 5) throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    let attributes = [kCVPixelBufferCGImageCompatibilityKey: kCFBooleanTrue!] as CFDictionary
    #expect(
      CVPixelBufferCreate(kCFAllocatorDefault, width, height, type, attributes, &buffer)
        == kCVReturnSuccess)
    return try #require(buffer)
  }

  /// The codes are those of Core Video's header: four characters, or small numbers.
  @Test func formatsHaveTheirCodes() {
    func code(_ text: String) -> OSType { text.utf8.reduce(0) { $0 << 8 | OSType($1) } }
    #expect(kCVPixelFormatType_32BGRA == code("BGRA") && kCVPixelFormatType_32RGBA == code("RGBA"))
    #expect(kCVPixelFormatType_32ABGR == code("ABGR") && kCVPixelFormatType_24BGR == code("24BG"))
    #expect(kCVPixelFormatType_32ARGB == 32 && kCVPixelFormatType_24RGB == 24)
    #expect(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange == code("420v"))
    #expect(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange == code("420f"))
    #expect(kCVPixelFormatType_420YpCbCr8Planar == code("y420"))
    #expect(kCVPixelFormatType_420YpCbCr8PlanarFullRange == code("f420"))
    #expect(kCVPixelFormatType_OneComponent8 == code("L008"))
    #expect(kCVPixelFormatType_OneComponent32Float == code("L00f"))
  }

  /// Every order of bytes holds the same picture, at the places that its name says.
  @Test(
    arguments: [
      (kCVPixelFormatType_32BGRA, [2, 1, 0, 3]), (kCVPixelFormatType_32ARGB, [1, 2, 3, 0]),
      (kCVPixelFormatType_32RGBA, [0, 1, 2, 3]), (kCVPixelFormatType_32ABGR, [3, 2, 1, 0]),
      (kCVPixelFormatType_24RGB, [0, 1, 2]), (kCVPixelFormatType_24BGR, [2, 1, 0]),
    ])
  func ordersOfBytes(type: OSType, places: [Int]) throws {
    let picture = try Pixels.picture()
    let buffer = try CVPixelBuffer(picture, type: type)
    #expect(CVPixelBufferGetPixelFormatType(buffer) == type)
    #expect(CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    let start = try #require(CVPixelBufferGetBaseAddress(buffer))
    let pixel = start + (3 * CVPixelBufferGetBytesPerRow(buffer) + 4 * places.count)
    for channel in 0..<3 {
      let sample = pixel.load(fromByteOffset: places[channel], as: UInt8.self)
      #expect(sample == Pixels.sample(4, 3, channel))
    }
    if places.count == 4 { #expect(pixel.load(fromByteOffset: places[3], as: UInt8.self) == 255) }
    let back = try Image(buffer).converted(to: .rgb8)
    #expect(Pixels.bytes(back) == Pixels.samples(channels: 3))
  }

  @Test func sizesAndRows() throws {
    let buffer = try buffer(kCVPixelFormatType_32BGRA, 5, 3)
    #expect(CVPixelBufferGetWidth(buffer) == 5 && CVPixelBufferGetHeight(buffer) == 3)
    let rowBytes = CVPixelBufferGetBytesPerRow(buffer)
    #expect(rowBytes >= 20 && rowBytes % 16 == 0)
    #expect(CVPixelBufferGetDataSize(buffer) == 3 * rowBytes)
    #expect(!CVPixelBufferIsPlanar(buffer) && CVPixelBufferGetPlaneCount(buffer) == 0)
  }

  @Test(
    arguments: [
      (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 2, YCbCrEncoding.Range.full),
      (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, 2, .video),
      (kCVPixelFormatType_420YpCbCr8Planar, 3, .video),
      (kCVPixelFormatType_420YpCbCr8PlanarFullRange, 3, .full),
    ])
  func planes(type: OSType, count: Int, range: YCbCrEncoding.Range) throws {
    let buffer = try buffer(type, 5, 3)
    #expect(CVPixelBufferIsPlanar(buffer) && CVPixelBufferGetPlaneCount(buffer) == count)
    #expect(CVPixelBufferGetWidthOfPlane(buffer, 0) == 5)
    #expect(CVPixelBufferGetHeightOfPlane(buffer, 0) == 3)
    #expect(CVPixelBufferGetWidthOfPlane(buffer, 1) == 3)
    #expect(CVPixelBufferGetHeightOfPlane(buffer, 1) == 2)
    #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, count) == nil)
    #expect(CVPixelBufferGetWidthOfPlane(buffer, -1) == 0)
    // Luma 100 without colour is gray: 100 in the full range, and (100 − 16) · 255 / 219 else.
    for plane in 0..<count {
      let start = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, plane))
      let bytes =
        CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
        * CVPixelBufferGetHeightOfPlane(buffer, plane)
      start.initializeMemory(as: UInt8.self, repeating: plane == 0 ? 100 : 128, count: bytes)
    }
    let colors = Pixels.bytes(try Image(buffer).converted(to: .rgb8))
    #expect(colors == [UInt8](repeating: range == .full ? 100 : 98, count: 45))
    let copy = try CVPixelBuffer(Image(buffer), type: type)
    #expect(Pixels.bytes(try Image(copy).converted(to: .rgb8)) == colors)
  }

  /// Memory of the caller's is used, and given back when the buffer goes.
  @Test func memoryIsGivenBack() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
    defer { memory.deallocate() }
    let flag = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
    defer { flag.deallocate() }
    flag.initialize(to: 0)
    let release: CVPixelBufferReleaseBytesCallback = { context, address in
      context?.storeBytes(of: UInt(bitPattern: address), as: UInt.self)
    }
    var buffer: CVPixelBuffer?
    #expect(
      CVPixelBufferCreateWithBytes(
        nil, 2, 2, kCVPixelFormatType_32BGRA, memory, 8, release, flag, nil, &buffer)
        == kCVReturnSuccess)
    #expect(try CVPixelBufferGetBaseAddress(#require(buffer)) == memory)
    #expect(flag.pointee == 0)
    buffer = nil
    #expect(flag.pointee == UInt(bitPattern: memory))
  }

  @Test func whatCannotBeIsAnError() {
    var buffer: CVPixelBuffer?
    #expect(CVPixelBufferCreate(nil, 2, 2, 0x7777, nil, &buffer) == kCVReturnInvalidPixelFormat)
    for side in [0, -1, Int.max] {
      #expect(
        CVPixelBufferCreate(nil, side, 2, kCVPixelFormatType_32BGRA, nil, &buffer)
          == kCVReturnInvalidSize)
    }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
    defer { memory.deallocate() }
    #expect(
      CVPixelBufferCreateWithBytes(
        nil, 2, 2, kCVPixelFormatType_32BGRA, memory, 7, nil, nil, nil, &buffer)
        == kCVReturnInvalidArgument)
    #expect(
      CVPixelBufferCreateWithBytes(
        nil, 2, 2, kCVPixelFormatType_420YpCbCr8Planar, memory, 8, nil, nil, nil, &buffer)
        == kCVReturnInvalidArgument)
    #expect(buffer == nil)
    #expect(throws: ImageError.self) {
      try Image(self.buffer(kCVPixelFormatType_OneComponent32Float))
    }
  }

  @Test func framesHaveBuffersAndTimes() throws {
    let frame = CMSampleBuffer(image: try Pixels.picture(), presentationTime: .milliseconds(1500))
    let pixels = try #require(CMSampleBufferGetImageBuffer(frame))
    #expect(CVPixelBufferGetPixelFormatType(pixels) == kCVPixelFormatType_32BGRA)
    #expect(CMTimeGetSeconds(CMSampleBufferGetPresentationTimeStamp(frame)) == 1.5)
    let time = CMTimeMake(value: 3, timescale: 2)
    let again = try #require(CMSampleBuffer(imageBuffer: pixels, presentationTimeStamp: time))
    #expect(again.presentationTime == .milliseconds(1500))
    #expect(
      Pixels.bytes(try again.image.converted(to: .rgb8)) == Pixels.samples(channels: 3))
    #expect(CMTime(seconds: 0.1, preferredTimescale: 600) == CMTime(value: 60, timescale: 600))
    #expect(CMTime(seconds: .infinity, preferredTimescale: 1).value == .max)
  }
}
