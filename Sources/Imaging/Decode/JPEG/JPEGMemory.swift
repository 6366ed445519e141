/// The memory that libjpeg allocates for a file, besides the decoded picture.
struct JPEGMemory {
  private let header: JPEGHeader
  private let maximum: (across: Int, down: Int)

  init(_ header: JPEGHeader) {
    self.header = header
    maximum = (
      header.samplings.map(\.across).max() ?? 1, header.samplings.map(\.down).max() ?? 1
    )
  }

  /// The sum of the row buffers, the coefficients of a file with several scans, and a fixed part.
  var byteCount: Int { rows + (header.hasMultipleScans ? coefficients : 0) + fixed }

  /// Tables, state and the bookkeeping of libjpeg's memory manager.
  private let fixed = 1 << 18

  /// Two bytes per coefficient, in blocks of 64; each component has a whole number of MCUs.
  private var coefficients: Int {
    header.samplings.reduce(0) { sum, sampling in
      let blocks = blocks(of: sampling)
      return sum + blocks.across * blocks.down * 128
    }
  }

  /// Buffers of samples, with the context rows above and below for chroma upsampling; buffers of
  /// rows before colour conversion; and a pointer per row of the picture.
  private var rows: Int {
    let samples = header.samplings.reduce(0) { sum, sampling in
      sum + blocks(of: sampling).across * 8 * sampling.down * 10
    }
    let picture = header.samplings.count * (header.size.width + 64) * (maximum.down + 1)
    return samples + picture + header.size.height * MemoryLayout<Int>.size
  }

  private func blocks(of sampling: (across: Int, down: Int)) -> (across: Int, down: Int) {
    (
      Self.blocks(header.size.width, sampling.across, of: maximum.across),
      Self.blocks(header.size.height, sampling.down, of: maximum.down)
    )
  }

  /// Returns the number of blocks that cover a length of the picture, rounded up to whole MCUs.
  private static func blocks(_ length: Int, _ sampling: Int, of maximum: Int) -> Int {
    let blocks = (length * sampling + 8 * maximum - 1) / (8 * maximum)
    return (blocks + sampling - 1) / sampling * sampling
  }
}
