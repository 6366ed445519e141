/// The memory that libjpeg takes for a file, besides the picture.
struct JPEGMemory {
  private let header: JPEGHeader
  private let maximum: (across: Int, down: Int)

  init(_ header: JPEGHeader) {
    self.header = header
    maximum = (
      header.samplings.map(\.across).max() ?? 1, header.samplings.map(\.down).max() ?? 1
    )
  }

  /// All of it: some rows, and all coefficients of a file with several passes over the picture.
  var byteCount: Int { rows + (header.hasPasses ? coefficients : 0) + fixed }

  /// Tables, states, and the lists in which the memory is kept.
  private let fixed = 1 << 18

  /// Two bytes for each coefficient, in blocks of 64; a colour has whole blocks, as many as its sampling wants.
  private var coefficients: Int {
    header.samplings.reduce(0) { sum, sampling in
      let blocks = blocks(of: sampling)
      return sum + blocks.across * blocks.down * 128
    }
  }

  /// The rows of samples at work, with those above and below that smooth colours look at; rows of the picture
  /// on the way to their colours; and where each row of the picture begins.
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

  /// The blocks that cover a length of the picture, in whole groups.
  private static func blocks(_ length: Int, _ sampling: Int, of maximum: Int) -> Int {
    let blocks = (length * sampling + 8 * maximum - 1) / (8 * maximum)
    return (blocks + sampling - 1) / sampling * sampling
  }
}
