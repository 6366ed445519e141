import OcellusEngine
import OcellusImaging
import OcellusModelFile
import OcellusPlatform

/// A network that is shown pictures: an interpreter with what it takes to fill its input and to
/// read its outputs.
///
/// Unchecked: what changes is used under the lock, by one caller at a time.
final class PictureNetwork: @unchecked Sendable {
  /// What is known of runs over several pictures.
  private enum Batches {
    case untried
    /// They are impossible, not the same, or no faster.
    case none
    case some(PictureBatch)
  }

  private let interpreter: Interpreter
  /// What it runs.
  let model: Model
  private let lock = CallerLock()
  private var preprocessor: PicturePreprocessor?
  private var reader = OutputReader()
  /// How the interpreter runs, and others beside it do.
  private let running: Interpreter.Options
  private var batches = Batches.untried

  /// What the model shows of itself.
  let facts: ModelFacts
  /// Where the picture goes.
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

  /// What stops a run from another thread.
  var cancellation: Cancellation { interpreter.cancellation }

  /// What the model's package says about the size, where the model leaves it open.
  private static func missingSize(
    _ interpreter: Interpreter, _ package: ModelPackage?
  ) -> PixelSize? {
    guard let shape = interpreter.inputs.first?.shape.dimensions, shape.count == 4 else {
      return nil
    }
    return shape.filter { $0 == 1 }.count >= 3 ? package?.inputSize : nil
  }

  /// Asks for another size of the one input, which must have a picture's shape.
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

  /// Decides how pictures are shown, when it is known what sort of network it is.
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

  /// Shows the network a part of a picture, and lets `body` read what it says, and where it looked.
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

  /// Shows the network each of several pictures, as many in one run as make sense.
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

  /// How many pictures a run takes; 1 before several at once were asked for.
  var picturesPerRun: Int {
    lock.withLock { if case .some = batches { PictureBatch.count } else { 1 } }
  }

  /// What runs several pictures, tried out once.
  private func batch(_ batching: Batching) throws(VisionError) -> PictureBatch? {
    if case .untried = batches, let preprocessor {
      let batch = try PictureBatch(
        of: model, like: interpreter, running: running, shownBy: preprocessor, batching)
      batches = batch.map { .some($0) } ?? .none
    }
    if case .some(let batch) = batches { return batch }
    return nil
  }

  /// The bytes that the network is shown for a part of a picture.
  func inputBytes(for image: Image, region: BoundingBox?) throws(VisionError) -> [UInt8] {
    try lock.withLock { () throws(VisionError) in
      let (bytes, _) = try fillInput(with: image, region: region)
      return Array(bytes)
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

  /// A region may reach beyond the picture, but something of the picture must be in it.
  private static func check(_ region: BoundingBox, in size: PixelSize) throws(VisionError) {
    guard region.width > 0, region.height > 0, region.left < Double(size.width), region.right > 0,
      region.top < Double(size.height), region.bottom > 0
    else {
      throw .mismatched(
        "the region (\(region.left), \(region.top)) to (\(region.right), \(region.bottom)) has "
          + "nothing of the picture, which is \(size)")
    }
  }
}

/// How many threads share the work of one picture where nobody says.
package enum ThreadCount {
  /// The processors that this program may keep busy, but at most four: there is not enough work for more.
  package static let usual = min(ProcessorSet.allowedCount, 4)
}
