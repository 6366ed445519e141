// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
public import OcellusImaging
import OcellusPlatform

/// The pixels of a video frame in memory, in one of the formats `kCVPixelFormatType_…`.
///
/// As in the original, the memory can be written to by everybody who holds the buffer. Programs lock
/// it while they do; here, locking has no effect.
public final class CVPixelBuffer: @unchecked Sendable {
  /// Rows of memory.
  struct Plane {
    var address: UnsafeMutableRawPointer
    var width: Int
    var height: Int
    var bytesPerRow: Int
  }

  let type: OSType
  let width: Int
  let height: Int
  let planes: [Plane]
  let byteCount: Int
  private let release: () -> Void

  init(
    _ type: OSType, width: Int, height: Int, planes: [Plane], byteCount: Int,
    release: @escaping () -> Void
  ) {
    self.type = type
    self.width = width
    self.height = height
    self.planes = planes
    self.byteCount = byteCount
    self.release = release
  }

  deinit { release() }

  /// Creates a buffer with memory of its own, which is cleared.
  convenience init(
    allocating format: VideoFormat, width: Int, height: Int
  ) throws(BufferError) {
    let size = PixelSize(width: width, height: height)
    guard (try? ImageLimits().check(size)) != nil else { throw .invalidSize }
    let layouts = format.planes.map { layout in
      let (columns, rows) = (layout.elements(covering: width), layout.elements(covering: height))
      return (columns, rows, bytesPerRow: (columns * layout.bytesPerElement + 15) & ~15)
    }
    let byteCount = layouts.reduce(0) { $0 + $1.bytesPerRow * $1.1 }
    guard let memory = calloc(byteCount, 1) else { throw .noMemory }
    var offset = 0
    let planes = layouts.map { columns, rows, bytesPerRow in
      defer { offset += bytesPerRow * rows }
      return Plane(
        address: memory + offset, width: columns, height: rows, bytesPerRow: bytesPerRow)
    }
    self.init(
      format.type, width: width, height: height, planes: planes, byteCount: byteCount,
      release: { free(memory) })
  }
}

/// The reason why there is no buffer, with Core Video's number.
enum BufferError: CVReturn, Error {
  case invalidArgument = -6661
  case noMemory = -6662
  case invalidFormat = -6680
  case invalidSize = -6681
}

/// A format of pixel buffers.
struct VideoFormat {
  /// Where the pixels of pictures are.
  enum Content {
    case bitmap(BitmapLayout)
    case biplanar(YCbCrEncoding.Range)
    case planar(YCbCrEncoding.Range)
    /// Floats, which no picture is made of.
    case floats
  }

  let type: OSType
  let content: Content

  /// Creates the format with Core Video's number; `nil` if it is not supported here.
  init?(_ type: OSType) {
    guard let content = Self.contents[type] else { return nil }
    self.type = type
    self.content = content
  }

  private static let contents: [OSType: Content] = [
    kCVPixelFormatType_32BGRA: .bitmap(.bgra), kCVPixelFormatType_32ARGB: .bitmap(.argb),
    kCVPixelFormatType_32RGBA: .bitmap(.rgba), kCVPixelFormatType_32ABGR: .bitmap(.abgr),
    kCVPixelFormatType_24RGB: .bitmap(.rgb), kCVPixelFormatType_24BGR: .bitmap(.bgr),
    kCVPixelFormatType_OneComponent8: .bitmap(.gray),
    kCVPixelFormatType_OneComponent32Float: .floats,
    kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: .biplanar(.video),
    kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: .biplanar(.full),
    kCVPixelFormatType_420YpCbCr8Planar: .planar(.video),
    kCVPixelFormatType_420YpCbCr8PlanarFullRange: .planar(.full),
  ]

  /// The format of a picture with rows of the same sizes, whose bytes may have other meanings.
  private var similarFormat: PixelFormat {
    switch content {
    case .biplanar(let range): .nv12(YCbCrEncoding(matrix: .bt601, range: range))
    case .planar(let range): .i420(YCbCrEncoding(matrix: .bt601, range: range))
    case .bitmap(let layout):
      layout.isGray ? .gray8 : layout.bytesPerPixel == 3 ? .rgb8 : .rgba8
    case .floats: .planarFloat(channels: 1)
    }
  }

  /// The planes, from which the sizes of rows follow.
  var planes: [PixelFormat.PlaneLayout] { similarFormat.planeLayouts }

  /// The format of pictures for formats with several planes.
  var planarFormat: PixelFormat? { planes.count > 1 ? similarFormat : nil }
}

extension Image {
  /// Creates a picture with a copy of the pixels of a buffer.
  ///
  /// YCbCr is taken for that of BT.601, as phones' cameras provide it.
  public init(_ buffer: CVPixelBuffer) throws(ImageError) {
    guard let format = VideoFormat(buffer.type), let first = buffer.planes.first else {
      throw .unsupported(buffer)
    }
    let size = PixelSize(width: buffer.width, height: buffer.height)
    switch format.content {
    case .bitmap(let layout):
      self = layout.picture(at: first.address, bytesPerRow: first.bytesPerRow, size: size)
    case .biplanar, .planar:
      guard let planarFormat = format.planarFormat else { throw .unsupported(buffer) }
      self.init(uninitialized: planarFormat, size: size)
      let planes = planes
      withUnsafeMutableBytes { memory in
        for (source, target) in zip(buffer.planes, planes) {
          for row in 0..<target.rows {
            memory.baseAddress?.advanced(by: target.byteOffset + row * target.rowStride)
              .copyMemory(
                from: source.address + row * source.bytesPerRow, byteCount: target.rowBytes)
          }
        }
      }
    case .floats: throw .unsupported(buffer)
    }
  }
}

extension CVPixelBuffer {
  /// Creates a buffer with a copy of the stored pixels of a picture, such as a frame of a video.
  ///
  /// Formats in which the picture cannot be are errors: YCbCr with planes takes pictures that have
  /// them already.
  public convenience init(
    _ picture: Image, type: OSType = kCVPixelFormatType_32BGRA
  ) throws(ImageError) {
    let size = picture.storedSize
    do {
      guard let format = VideoFormat(type) else { throw BufferError.invalidFormat }
      try self.init(allocating: format, width: size.width, height: size.height)
    } catch {
      throw ImageError(
        .unsupported, "a picture of \(size) cannot become a pixel buffer of type \(type)")
    }
    let first = planes[0]
    if case .bitmap(let layout)? = VideoFormat(type)?.content {
      try layout.write(picture, to: first.address, bytesPerRow: first.bytesPerRow)
    } else {
      try copyPlanes(of: picture)
    }
  }

  private func copyPlanes(of picture: Image) throws(ImageError) {
    guard let format = VideoFormat(type)?.planarFormat else { throw .unsupported(self) }
    let picture = try picture.converted(to: format)
    picture.withUnsafeBytes { memory in
      for (source, target) in zip(picture.planes, planes) {
        for row in 0..<source.rows {
          guard let start = memory.baseAddress else { return }
          (target.address + row * target.bytesPerRow).copyMemory(
            from: start + (source.byteOffset + row * source.rowStride), byteCount: source.rowBytes)
        }
      }
    }
  }
}

extension ImageError {
  fileprivate static func unsupported(_ buffer: CVPixelBuffer) -> ImageError {
    ImageError(
      .unsupported, "a pixel buffer of type \(buffer.type) is no picture: use 32BGRA or 420f")
  }
}
