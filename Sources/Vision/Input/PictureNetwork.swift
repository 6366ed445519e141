import OcellusEngine
import OcellusImaging
import OcellusModelFile
import OcellusPlatform

/// A network that is shown pictures: an interpreter with what it takes to fill its input and to
/// read its outputs.
///
/// Unchecked: what changes is used under the lock, by one caller at a time.
final class PictureNetwork: @unchecked Sendable {
  private let interpreter: Interpreter
  /// What it runs.
  let model: Model
  private let lock = CallerLock()
  private var preprocessor: PicturePreprocessor?
  private var scratch: [[Float]] = []

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
      let result = try readOutputs { outputs throws(VisionError) in try body(outputs, mapping) }
      stages.reading = clock.lap()
      VisionEvent.report(.pictureSeen(stages))
      return result
    }
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

  // MARK: Outputs

  /// Calls `body` with the outputs as real numbers: floats where they are, others dequantized.
  private func readOutputs<Result>(
    _ body: ([OutputTensor]) throws(VisionError) -> Result
  ) throws(VisionError) -> Result {
    let descriptions = interpreter.outputs
    if scratch.count != descriptions.count {
      scratch = Array(repeating: [], count: descriptions.count)
    }
    for (index, description) in descriptions.enumerated() where description.type != .float32 {
      try dequantize(index, description)
    }
    let outputs = descriptions.indices.map { index in
      let description = descriptions[index]
      let values =
        description.type == .float32
        ? interpreter.main.placedOutputBytes(at: index)?.bindMemory(to: Float.self)
        : scratch[index].withUnsafeBufferPointer { $0 }
      return OutputTensor(
        name: description.name, shape: description.shape.dimensions,
        values: values ?? UnsafeBufferPointer(start: nil, count: 0))
    }
    // The scratch arrays are not touched before the body is done.
    defer { withExtendedLifetime(scratch) {} }
    return try body(outputs)
  }

  private func dequantize(
    _ index: Int, _ description: TensorDescription
  ) throws(VisionError) {
    guard let bytes = interpreter.main.placedOutputBytes(at: index) else {
      scratch[index] = []
      return
    }
    let scale = description.quantization?.scale ?? 1
    let zeroPoint = description.quantization?.zeroPoint ?? 0
    func convert<Integer: FixedWidthInteger>(_: Integer.Type) -> [Float] {
      bytes.bindMemory(to: Integer.self).map { scale * Float(Int($0) &- zeroPoint) }
    }
    switch description.type {
    case .uint8: scratch[index] = convert(UInt8.self)
    case .int8: scratch[index] = convert(Int8.self)
    case .int16: scratch[index] = convert(Int16.self)
    case .int32: scratch[index] = convert(Int32.self)
    case .int64: scratch[index] = bytes.bindMemory(to: Int64.self).map { scale * Float($0) }
    case .bool: scratch[index] = bytes.map { $0 == 0 ? 0 : 1 }
    case .float16: scratch[index] = bytes.bindMemory(to: UInt16.self).map(\.halfPrecisionValue)
    default:
      throw .mismatched(
        "the output '\(description.name)' is of type \(description.type.name), which holds no "
          + "numbers that boxes or scores could be")
    }
  }
}

extension UInt16 {
  /// The number that these bits are in half precision.
  fileprivate var halfPrecisionValue: Float {
    let exponent = Int(self >> 10 & 31)
    let fraction = Float(self & 1023) / 1024
    let magnitude: Float =
      switch exponent {
      case 0: fraction * 0x1p-14
      case 31: fraction == 0 ? .infinity : .nan
      default: Float(sign: .plus, exponent: exponent - 15, significand: 1 + fraction)
      }
    return self & 0x8000 == 0 ? magnitude : -magnitude
  }
}

/// How many threads share the work of one picture where nobody says.
package enum ThreadCount {
  /// The processors that this program may keep busy, but at most four: there is not enough work for more.
  package static let usual = min(ProcessorSet.allowedCount, 4)
}
