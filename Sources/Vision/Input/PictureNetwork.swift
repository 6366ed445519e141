import OcellusEngine
import OcellusImaging
import OcellusModelFile
import OcellusPlatform

/// A network whose input is a picture: an interpreter with its preprocessing and output reader.
///
/// It is unchecked sendable because the lock guards all mutable state.
final class PictureNetwork: @unchecked Sendable {
  /// The state of the test for runs over several pictures.
  private enum Batches {
    case untried
    /// Such runs are impossible, give other results, or are no faster.
    case none
    case some(PictureBatch)
  }

  private let interpreter: Interpreter
  /// The model that the interpreter runs.
  let model: Model
  private let lock = CallerLock()
  private var preprocessor: PicturePreprocessor?
  private var reader = OutputReader()
  /// The options of the interpreter, also for further interpreters of the same model.
  private let running: Interpreter.Options
  private var batches = Batches.untried

  /// The facts that the model itself shows.
  let facts: ModelFacts
  /// The input that takes the picture.
  let place: PictureInputFinder.Place
  private let finder: PictureInputFinder
  private(set) var input: PictureInput?

  init(
    _ model: Model, options: PictureInput.Options, package: ModelPackage?,
    running: Interpreter.Options, explanation: inout Explanation
  ) throws(VisionError) {
    self.model = model
    self.running = running
    var clock = EventClock()
    do throws(ModelError) {
      interpreter = try Interpreter(model, options: running)
      if let size = options.size ?? Self.missingSize(interpreter, package) {
        try Self.resize(interpreter, to: size)
      }
      try interpreter.allocate()
    } catch {
      throw .model(error)
    }
    VisionEvent.report(.planMade(time: clock.lap(), memory: interpreter.memoryInUse))
    facts = try ModelFacts(interpreter)
    finder = PictureInputFinder(facts: facts, options: options)
    place = try finder.place(&explanation)
    if let size = package?.inputSize, size != place.size {
      explanation.warn(
        "tflite_metadata.json says that pictures are \(size); the model says otherwise")
    }
  }

  /// The cancellation of a run, usable from another thread.
  var cancellation: Cancellation { interpreter.cancellation }

  /// Returns the package's input size if the model leaves the size open.
  private static func missingSize(
    _ interpreter: Interpreter, _ package: ModelPackage?
  ) -> PixelSize? {
    guard let shape = interpreter.inputs.first?.shape.dimensions, shape.count == 4 else {
      return nil
    }
    return shape.filter { $0 == 1 }.count >= 3 ? package?.inputSize : nil
  }

  /// Changes the size of the only input, which must have a picture's shape.
  private static func resize(
    _ interpreter: Interpreter, to size: PixelSize
  ) throws(ModelError) {
    guard let input = interpreter.inputs.first, input.shape.dimensions.count == 4 else { return }
    let channelsFirst = [1, 3].contains(input.shape[1]) && ![1, 3].contains(input.shape[3])
    try interpreter.resizeInput(
      at: 0,
      to: channelsFirst
        ? [1, input.shape[1], size.height, size.width]
        : [1, size.height, size.width, input.shape[3]])
  }

  /// Determines the conversion of pictures, once the family of the network is known.
  func settleInput(
    _ convention: PictureInput.Convention, _ explanation: inout Explanation
  ) throws(VisionError) -> PictureInput {
    let input = try finder.input(at: place, convention: convention, &explanation)
    self.input = input
    do throws(ImageError) {
      preprocessor = try PicturePreprocessor(
        input.tensor, resampler: input.resampler, fit: input.fit, padding: input.padding)
    } catch {
      throw .image(error)
    }
    return input
  }

  /// Runs the network on a region of a picture, and calls `body` with the outputs and the mapping.
  func run<Result>(
    on image: Image, region: BoundingBox?,
    _ body: ([OutputTensor], PictureMapping) throws(VisionError) -> Result
  ) throws(VisionError) -> Result {
    try lock.withLock { () throws(VisionError) in
      var clock = EventClock()
      var stages = VisionEvent.Stages()
      let (_, mapping) = try fillInput(with: image, region: region)
      stages.preparing = clock.lap()
      do throws(ModelError) { try interpreter.run() } catch { throw .model(error) }
      stages.running = clock.lap()
      let result = try reader.read(interpreter) { outputs throws(VisionError) in
        try body(outputs, mapping)
      }
      stages.reading = clock.lap()
      VisionEvent.report(.pictureSeen(stages))
      return result
    }
  }

  /// Runs the network on each of several pictures, in batches if that is useful.
  func run<Result>(
    onEach images: [Image], batching: Batching,
    _ body: ([OutputTensor], PictureMapping) throws(VisionError) -> Result
  ) throws(VisionError) -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(images.count)
    while images.count - results.count >= PictureBatch.count, batching != .never {
      let lot = images[results.count..<results.count + PictureBatch.count]
      let done = try lock.withLock { () throws(VisionError) -> [Result]? in
        try batch(batching)?.run(on: lot, by: preprocessor, &reader, body)
      }
      guard let done else { break }
      results += done
    }
    for image in images[results.count...] {
      results.append(try run(on: image, region: nil, body))
    }
    return results
  }

  /// The number of pictures in a run; 1 until several pictures at once were requested.
  var picturesPerRun: Int {
    lock.withLock { if case .some = batches { PictureBatch.count } else { 1 } }
  }

  /// Returns the batch for several pictures, which is tested once; `nil` if there is none.
  private func batch(_ batching: Batching) throws(VisionError) -> PictureBatch? {
    if case .untried = batches, let preprocessor {
      let batch = try PictureBatch(
        of: model, like: interpreter, running: running, shownBy: preprocessor, batching)
      batches = batch.map { .some($0) } ?? .none
    }
    if case .some(let batch) = batches { return batch }
    return nil
  }

  /// Returns the bytes of the network's input for a region of a picture.
  func inputBytes(for image: Image, region: BoundingBox?) throws(VisionError) -> [UInt8] {
    try lock.withLock { () throws(VisionError) in
      let (bytes, _) = try fillInput(with: image, region: region)
      return Array(bytes)
    }
  }

  /// Returns another interpreter, whose nodes run one by one, with a picture as its input.
  func separateInterpreter(
    for image: Image, region: BoundingBox?
  ) throws(VisionError) -> (interpreter: Interpreter, mapping: PictureMapping) {
    try lock.withLock { () throws(VisionError) in
      let (bytes, mapping) = try fillInput(with: image, region: region)
      var options = running
      options.runsNodesSeparately = true
      // Whoever observes the nodes takes longer than the run.
      options.budget.time = nil
      do throws(ModelError) {
        let separate = try Interpreter(model, options: options)
        for (index, input) in interpreter.inputs.enumerated()
        where separate.main.inputDescription(at: index).shape != input.shape {
          try separate.resizeInput(at: index, to: input.shape)
        }
        try separate.allocate()
        if let input { try separate.setInput(at: input.index, bytes: Array(bytes)) }
        return (separate, mapping)
      } catch {
        throw .model(error)
      }
    }
  }

  private func fillInput(
    with image: Image, region: BoundingBox?
  ) throws(VisionError) -> (UnsafeMutableRawBufferPointer, PictureMapping) {
    guard let input, let preprocessor else { preconditionFailure("the input is not settled") }
    do throws(ModelError) { try interpreter.allocate() } catch { throw .model(error) }
    guard let bytes = interpreter.main.placedInputBytes(at: input.index) else {
      throw .mismatched("the input has no memory before the model runs")
    }
    if let region { try Self.check(region, in: image.size) }
    do throws(ImageError) {
      return (bytes, try preprocessor.fill(bytes, with: image, region: region))
    } catch {
      throw .image(error)
    }
  }

  /// Throws if a region has no pixel of the picture; it may extend beyond the picture.
  private static func check(_ region: BoundingBox, in size: PixelSize) throws(VisionError) {
    guard region.width > 0, region.height > 0, region.left < Double(size.width), region.right > 0,
      region.top < Double(size.height), region.bottom > 0
    else {
      throw .mismatched(
        "the region (\(region.left), \(region.top)) to (\(region.right), \(region.bottom)) has "
          + "no pixels of the picture, which is \(size)")
    }
  }
}

/// The default number of threads for running a network on one picture.
package enum ThreadCount {
  /// The processors that this program may use, but at most four: the work does not scale further.
  package static let usual = min(ProcessorSet.allowedCount, 4)
}
