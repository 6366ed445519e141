import OcellusAudit
import OcellusEngine
import OcellusImaging
import OcellusModelFile
import OcellusProof
import OcellusVision

/// Which detections of a picture no correct engine can flip, and how far the others are from it.
struct DetectionBounds {
  /// How well a tensor that detections are decoded from is known, whatever engine runs the model.
  struct Output {
    enum State {
      case exact
      case bounded
      /// The bounds are wider than what scores and boxes are told apart by.
      case tooWide
      case notBounded(String)
    }

    let name: String
    let state: State
    /// Half of the median and of the widest interval, over the largest number of the tensor.
    var medianShare = 0.0
    var widestShare = 0.0
  }

  /// What the amounts are counted in by which outputs may be off.
  enum Unit: String {
    /// Quantization steps of each output.
    case steps
    /// Shares of the largest number of each output.
    case share

    /// The amounts that are tried, in ascending order.
    var amounts: [Double] {
      switch self {
      case .steps: [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64]
      case .share: (2...20).reversed().map { 1 / Double(1 << $0) }
      }
    }
  }

  private(set) var outputs: [Output] = []
  /// The number of nodes whose integers are those of the reference's specification.
  private(set) var integerCount = 0
  /// Why nothing is decided by the bounds; `nil` if the verdicts are.
  private(set) var reason: String?
  /// What may become of the detections within the bounds; `nil` if nothing is decided.
  private(set) var verdicts: DetectionVerdicts?
  private(set) var unit = Unit.share
  /// The largest amount by which all outputs may be off without flipping each detection; 0 if even
  /// the smallest that was tried may flip it, and `nil` if that is not known.
  private(set) var holding: [Double?]

  /// Halves of the median and of the widest interval above which bounds tell nothing.
  fileprivate static let largestMedian = 0.05
  fileprivate static let largestWidest = 0.25

  init(
    of detections: [Detection], by detector: ObjectDetector, on image: Image,
    region: BoundingBox?, _ arithmetic: BoundsArithmetic, isRenamed: Bool
  ) throws {
    holding = detections.map { _ in nil }
    var check: FlipCheck?
    do throws(FlipCheck.NotCovered) {
      check = try isRenamed ? nil : FlipCheck(of: detector)
      reason = isRenamed ? "what --classifier calls the objects is not covered" : nil
    } catch {
      reason = "\(error)"
    }
    let graph = detector.model.file.subgraphs[0]
    let tensors = check?.tensors ?? graph.outputs
    let (interpreter, mapping) = try detector.separateInterpreter(for: image, region: region)
    var gap: NodeBound?
    let run = BoundsRun(
      of: detector.model, arithmetic, .network, keeping: tensors,
      trustsIntegers: detector.options.numerics.followsReference
    ) { node in
      if gap == nil, case .notBounded = node.outcome { gap = node }
    }
    interpreter.observer = run
    try interpreter.run()
    try run.check()
    integerCount = run.integerCount
    let kept = tensors.map { run.bounds(ofKept: $0) }
    outputs = zip(tensors, kept).map { tensor, known in
      Output(name: graph.tensors[tensor].name, known.bounds, orGap: gap)
    }
    guard var check else {
      // Whatever the decoder does, it does the same with the same numbers.
      if !isRenamed, outputs.allSatisfy(\.isExact) {
        reason = nil
        verdicts = DetectionVerdicts(certain: detections)
      }
      return
    }
    let seen = kept.compactMap(\.seen)
    guard seen.count == kept.count else {
      reason = "not all outputs are in memory while the model runs"
      return
    }
    let nominal = zip(outputs, seen).map { OutputRange($0.name, $1, $1) }
    try check.settle(nominal)
    try measure(detections, check, nominal, seen, mapping)
    guard outputs.allSatisfy(\.isUseful) else {
      reason = outputs.first { !$0.isUseful }?.sentence
      return
    }
    let ranges = zip(outputs, kept).map { output, known in
      OutputRange(output.name, known.bounds?.low, known.bounds?.high)
    }
    verdicts = try check.verdicts(on: detections, outputs: ranges, mapping)
  }

  /// Finds by how much all outputs may be off before each detection may flip.
  private mutating func measure(
    _ detections: [Detection], _ check: FlipCheck, _ nominal: [OutputRange],
    _ seen: [StoredTensor], _ mapping: PictureMapping
  ) throws {
    let steps = seen.compactMap { $0.type == .float32 ? nil : $0.quantization?.scale }
    unit = steps.count == seen.count ? .steps : .share
    guard nominal.allSatisfy(\.isFinite) else { return }
    var standing = Set(detections.indices)
    for amount in unit.amounts where !standing.isEmpty {
      let ranges = nominal.enumerated().map { index, output in
        output.widened(by: Float(amount) * (unit == .steps ? steps[index] : output.largest))
      }
      let found = try check.verdicts(on: detections, outputs: ranges, mapping).verdicts
      for (index, verdict) in found.enumerated() where standing.contains(index) {
        guard let verdict else {
          standing.remove(index)
          continue
        }
        if verdict.isCertain {
          holding[index] = amount
        } else {
          holding[index] = holding[index] ?? 0
          standing.remove(index)
        }
      }
    }
  }
}

extension DetectionBounds.Output {
  fileprivate init(name: String, _ bounds: BoundedTensor?, orGap gap: NodeBound?) {
    self.name = name
    guard let bounds, let low = bounds.low.reals(), let high = bounds.high.reals() else {
      state = .notBounded(gap?.gapText ?? "it is no result of a node")
      return
    }
    guard !bounds.isExact else {
      state = .exact
      return
    }
    let halves = (0..<low.count).map { (high[$0] - low[$0]) / 2 }
    let middles = (0..<low.count).map { abs(high[$0] + low[$0]) / 2 }
    let largest = middles.filter(\.isFinite).max() ?? 0
    guard halves.allSatisfy(\.isFinite), largest > 0 else {
      (state, medianShare, widestShare) = (.tooWide, .infinity, .infinity)
      return
    }
    medianShare = halves.sorted()[halves.count / 2] / largest
    widestShare = (halves.max() ?? 0) / largest
    let isNarrow =
      medianShare <= DetectionBounds.largestMedian && widestShare <= DetectionBounds.largestWidest
    state = isNarrow ? .bounded : .tooWide
  }

  fileprivate var isExact: Bool { if case .exact = state { true } else { false } }

  fileprivate var isUseful: Bool {
    switch state {
    case .exact, .bounded: true
    case .tooWide, .notBounded: false
    }
  }
}

extension NodeBound {
  /// Which node has no bounds, and why.
  fileprivate var gapText: String? {
    guard case .notBounded(let reason) = outcome else { return nil }
    return "node \(index) (\(operatorName)) is not: \(reason)"
  }
}

extension OutputRange {
  fileprivate init(_ name: String, _ low: StoredTensor?, _ high: StoredTensor?) {
    func floats(_ tensor: StoredTensor?) -> [Float] {
      guard let reals = tensor?.reals() else { return [] }
      return (0..<reals.count).map { Float(reals[$0]) }
    }
    self.init(
      name: name, shape: low?.shape.dimensions ?? [], lows: floats(low), highs: floats(high))
  }
}

extension Interpreter.Numerics {
  /// Whether integers are computed as the official reference kernels do.
  fileprivate var followsReference: Bool {
    if case .litert = self { false } else { true }
  }
}
