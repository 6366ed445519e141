/// Unsupported file formats, detected by their first bytes, with advice on how to convert them.
struct UnsupportedFormat {
  /// The name of the format, and a command that converts it.
  let advice: String

  private static let beginnings: [(offset: Int, bytes: String, advice: String)] = [
    (0, "YUV4MPEG2 ", "this is a video (Y4M): open it as one"),
    (
      0, "GIF8",
      "GIF pictures, still or moving, are not read: 'ffmpeg -i IN.gif frame-%04d.png' makes a PNG of each frame"
    ),
    (8, "WEBPVP8X", webP),
    (8, "WEBP", webP),
    (
      4, "ftypavi",
      "AVIF pictures are not read: 'avifdec IN.avif OUT.png' makes a PNG (Debian: libavif-bin)"
    ),
    (4, "ftyphe", heif), (4, "ftypmif1", heif), (4, "ftypmsf1", heif),
    (
      4, "ftyp",
      "MP4 videos are not read: 'ffmpeg -i IN.mp4 -f yuv4mpegpipe OUT.y4m' makes one that is"
    ),
    (4, "TFL3", "this is a TensorFlow Lite model, not a picture; the commands take it with -m"),
    (0, "II*\0", tiff), (0, "MM\0*", tiff),
    (0, "P1", bitmap), (0, "P4", bitmap),
  ]

  private static let webP =
    "WebP pictures are not read: 'dwebp IN.webp -o OUT.png' makes a PNG (Debian: webp)"
  private static let animatedWebP =
    "this WebP is animated, and a picture is one: 'convert IN.webp -coalesce frame-%04d.png' makes a PNG of "
    + "each frame (ImageMagick)"
  private static let heif =
    "HEIF pictures are not read: 'heif-convert IN.heic OUT.jpg' makes a JPEG (Debian: libheif-examples)"
  private static let tiff =
    "TIFF pictures are not read: 'convert IN.tif OUT.png' makes a PNG of each page (ImageMagick)"
  private static let bitmap =
    "bitmaps of one bit (PBM) are not read: 'pbmtopgm 1 1 IN.pbm > OUT.pgm' makes a PGM (Netpbm)"

  /// Detects an unsupported format from the first bytes of a file; `nil` for an unknown one.
  init?(detecting bytes: UnsafeRawBufferPointer) {
    guard
      let found = Self.beginnings.first(where: {
        bytes.dropFirst($0.offset).starts(with: $0.bytes.utf8)
      })
    else { return nil }
    // In the extended form, a flag tells whether there are several frames.
    let isExtendedWebP = found.bytes == "WEBPVP8X"
    let isAnimated = isExtendedWebP && bytes.count > 20 && bytes[20] & 2 != 0
    advice = isExtendedWebP ? (isAnimated ? Self.animatedWebP : Self.webP) : found.advice
  }
}
