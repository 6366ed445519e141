import OcellusKernelABI

/// A choice between strategies that comes out the same on a processor, wherever it is asked: it
/// contains everything else that the strategies' times depend on.
struct StrategyQuestion: Hashable, Sendable {
  var instructionSet: String
  /// The number of threads, which decides how many rows a part of the work has.
  var threadCount: Int
  var numerics: String
  var family: String
  /// The problems in words; see `KernelProblem`.
  var problems: String
}

extension StrategyQuestion {
  init(
    _ kernels: KernelTable, threadCount: Int, _ numerics: Numerics, family: String,
    _ problems: [some KernelProblem]
  ) {
    self.init(
      instructionSet: kernels.name, threadCount: threadCount, numerics: numerics.word,
      family: family, problems: problems.map(\.words).joined(separator: "; "))
  }
}

/// A description by which a family's strategies are compared.
protocol KernelProblem {
  /// All properties in words, on one line: problems with the same words are equal.
  var words: String { get }
}

extension PatchGeometry: KernelProblem {
  var words: String {
    """
    \(inputHeight)x\(inputWidth)x\(channels) of \(pixelStride), window \
    \(windowHeight)x\(windowWidth), stride \(strideHeight)x\(strideWidth), dilation \
    \(dilationHeight)x\(dilationWidth), padding \(paddingTop)x\(paddingLeft), output \
    \(outputHeight)x\(outputWidth)
    """
  }
}

extension GEMMProblem: KernelProblem {
  var words: String {
    """
    \(rows) rows, \(columns) columns, \(patches.words), \(rowBytes) rows, \
    \(filter.isSigned ? "signed" : "unsigned") weights, zero \(filter.zeroPoint), to \(results)\
    \(packsInEveryRun ? ", packed in every run" : "")\(isRowByRow ? ", row by row" : "")
    """
  }
}

extension Numerics {
  /// The numerics in a word.
  fileprivate var word: String {
    switch self {
    case .fast: "fast"
    case .exact: "exact"
    case .litert(let processor): "litert-\(processor.rawValue)"
    }
  }
}
