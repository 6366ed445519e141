// imaging-bench [NAME…] [PHOTO.jpg]: prints the milliseconds to convert pictures to another size,
// format or tensor on one thread, the fastest of many calls; with NAMEs, only for lines that
// contain one. side_by_side.py alternates it with Pillow and OpenCV.

import OcellusImaging

let photoPath = CommandLine.arguments.dropFirst().first { $0.hasSuffix(".jpg") }
let wanted = CommandLine.arguments.dropFirst().filter { $0 != photoPath }

/// Prints the fastest of many calls, which is the least disturbed one.
func measure(_ name: String, _ body: () throws -> Void) rethrows {
  guard wanted.isEmpty || wanted.contains(where: name.contains) else { return }
  let clock = ContinuousClock()
  var best = Duration.seconds(1000)
  let end = clock.now + .milliseconds(600)
  var calls = 0
  while clock.now < end || calls < 5 {
    best = min(best, try clock.measure(body))
    calls += 1
  }
  print(name, Double(Int(best / .nanoseconds(1)) / 1000) / 1000)
}

/// Returns a synthetic picture that the Python script can compute, too.
func picture(_ format: PixelFormat, _ size: PixelSize) -> Image {
  var image = Image(uninitialized: format, size: size)
  let plane = image.planes[0]
  let channels = plane.rowBytes / size.width
  let rows = image.byteCount / plane.rowStride
  image.withUnsafeMutableBytes { bytes in
    for y in 0..<rows {
      for x in 0..<size.width {
        for channel in 0..<channels {
          bytes[y * plane.rowStride + x * channels + channel] = UInt8(
            truncatingIfNeeded: x * x * 7 + y * 13 + channel * 50 + x * y * 3)
        }
      }
    }
  }
  return image
}

let photo = picture(.rgb8, PixelSize(width: 1920, height: 1080))
let sizes = [PixelSize(width: 640, height: 360), PixelSize(width: 300, height: 300)]
for size in sizes {
  for resampler in Resampler.allCases {
    try measure("\(resampler.name) \(size)") {
      _ = try photo.resized(to: size, using: resampler)
    }
  }
}

let frame = picture(
  .nv12(YCbCrEncoding(matrix: .bt601, range: .video)), PixelSize(width: 1280, height: 720))
try measure("nv12 to rgb8") { _ = try frame.converted(to: .rgb8) }

// From a camera's frame or a photo to the input tensor of a network.
let tensors = [
  ("uint8", PictureTensor.Element.uint8()), ("int8", .int8()), ("float32", .float32),
]
for (name, element) in tensors {
  let tensor = PictureTensor(
    size: PixelSize(width: 320, height: 320), element: element, normalization: .none)
  let memory = UnsafeMutableRawBufferPointer.allocate(
    byteCount: tensor.byteCount, alignment: 64)
  defer { memory.deallocate() }
  for resampler in [Resampler.tensorFlowBilinear, .pillowBilinear, .openCVLinear] {
    let preprocessor = try PicturePreprocessor(
      tensor, resampler: resampler, fit: .letterbox(.center))
    for (source, kind) in [(photo, "rgb 1920x1080"), (frame, "nv12 1280x720")] {
      for orientation in [Orientation.up, .down, .right] {
        var turned = source
        turned.orientation = orientation
        try measure("tensor \(name) \(resampler.name) \(kind) \(orientation.rawValue)") {
          try preprocessor.fill(memory, with: turned)
        }
      }
    }
  }
}

// From a photo's file to the input tensor of a network, decoded at the needed size or as a whole.
if let photoPath {
  let size = PixelSize(width: 320, height: 320)
  let tensor = PictureTensor(size: size)
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: tensor.byteCount, alignment: 64)
  defer { memory.deallocate() }
  let preprocessor = try PicturePreprocessor(tensor, resampler: .pillowBilinear)
  for (name, minimum) in [
    ("photo to tensor", PixelSize(width: 640, height: 640)), ("whole photo to tensor", nil),
  ] {
    var options = ImageDecodingOptions()
    options.minimumSize = minimum
    try measure(name) {
      try preprocessor.fill(memory, with: Image(contentsOf: photoPath, options: options))
    }
  }
}
