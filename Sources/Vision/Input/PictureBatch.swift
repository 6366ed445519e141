import OcellusEngine
import OcellusImaging

/// When several pictures are shown to a network in one run.
package enum Batching {
  /// Where it gives the same bits in less time.
  case whereFaster
  /// Where it gives the same bits.
  case wherePossible
  case never
}

/// Shows a network several pictures in one run.
///
/// Most detectors have a batch of one built in; other networks allow any, by their first dimension. Whether
/// one that does keeps pictures apart is not to be told from shapes: it is tried, on pictures of noise, and must
/// give the bits that it gives for each of them alone.
struct PictureBatch {
  /// How many pictures a run takes: more gain nothing, and need memory.
  static let count = 4

  private let interpreter: Interpreter

  /// A batch for the network that `alone` runs; `nil` where there can be none, or it makes no sense.
  ///
  /// - Throws: only when it is stopped.
  init?(
    of model: Model, like alone: Interpreter, running: Interpreter.Options,
    shownBy preprocessor: PicturePreprocessor, _ batching: Batching
  ) throws(VisionError) {
    // The time that is allowed is one picture's.
    guard alone.inputs.count == 1, !running.budget.isHurried,
      let shape = alone.inputs.first?.shape.dimensions, shape.count == 4, shape[0] == 1
    else { return nil }
    do throws(ModelError) {
      interpreter = try Interpreter(model, options: running, stoppedWith: alone)
      try interpreter.resizeInput(at: 0, to: Shape([Self.count] + shape.dropFirst()))
      try interpreter.allocate()
      // Of its own: what the network remembers from picture to picture is not to change.
      let single = try Interpreter(model, options: running, stoppedWith: alone)
      try single.resizeInput(at: 0, to: Shape(shape))
      try single.allocate()
      // What the budget allows is for all of them.
      let memory = interpreter.memoryInUse + single.memoryInUse + alone.memoryInUse
      guard memory <= running.budget.bytes else { return nil }
      guard let times = try trial(beside: single, preprocessor) else { return nil }
      if batching == .whereFaster, times.together >= times.alone { return nil }
    } catch {
      if error.kind == .cancelled { throw .model(error) }
      return nil
    }
  }

  /// How long several pictures take alone and together; `nil` where the results differ.
  private func trial(
    beside single: Interpreter, _ preprocessor: PicturePreprocessor
  ) throws(ModelError) -> (alone: Duration, together: Duration)? {
    let clock = ContinuousClock()
    var alone = Duration.seconds(Int.max)
    var outputs: [[[UInt8]]] = []
    for index in 0..<Self.count {
      guard fill(single, place: 0, of: 1, withNoise: index, preprocessor),
        fill(interpreter, place: index, of: Self.count, withNoise: index, preprocessor)
      else { return nil }
      let start = clock.now
      try single.run()
      alone = min(alone, start.duration(to: clock.now) * Self.count)
      outputs.append(single.outputBytes(picture: 0, of: 1))
    }
    guard fits(single.outputs) else { return nil }
    var together = Duration.seconds(Int.max)
    // The first run finds its memory untouched.
    for _ in 0..<2 {
      let start = clock.now
      try interpreter.run()
      together = min(together, start.duration(to: clock.now))
      for index in 0..<Self.count
      where interpreter.outputBytes(picture: index, of: Self.count) != outputs[index] {
        return nil
      }
    }
    return (alone, together)
  }

  /// Whether the outputs are those of one picture as often as there are pictures.
  private func fits(_ single: [TensorDescription]) -> Bool {
    zip(interpreter.outputs, single).allSatisfy { many, one in
      let (many, one) = (many.shape.dimensions, one.shape.dimensions)
      return !one.isEmpty && one[0] == 1 && many == [Self.count] + one.dropFirst()
    }
  }

  private func fill(
    _ interpreter: Interpreter, place: Int, of count: Int, withNoise seed: Int,
    _ preprocessor: PicturePreprocessor
  ) -> Bool {
    guard let bytes = interpreter.main.placedInputBytes(at: 0) else { return false }
    let size = preprocessor.tensor.size
    var state = UInt32(seed + 1)
    let noise = (0..<size.width * size.height * 3).map { _ -> UInt8 in
      // Numerical Recipes' generator; the high bits are the good ones.
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    do throws(ImageError) {
      let image = try Image(.rgb8, size: size, bytes: noise)
      try preprocessor.fill(bytes.part(place, of: count), with: image)
      return true
    } catch {
      return false
    }
  }

  /// Shows the network the pictures, as many as a run takes, and lets `body` read what it says of each.
  func run<Result>(
    on images: ArraySlice<Image>, by preprocessor: PicturePreprocessor?,
    _ reader: inout OutputReader,
    _ body: ([OutputTensor], PictureMapping) throws(VisionError) -> Result
  ) throws(VisionError) -> [Result] {
    guard let preprocessor, let bytes = interpreter.main.placedInputBytes(at: 0) else {
      throw .mismatched("the input has no memory before the model runs")
    }
    var clock = EventClock()
    var stages = VisionEvent.Stages()
    var mappings: [PictureMapping] = []
    for (place, image) in images.enumerated() {
      do throws(ImageError) {
        mappings.append(
          try preprocessor.fill(bytes.part(place, of: Self.count), with: image))
      } catch {
        throw .image(error)
      }
    }
    stages.preparing = clock.lap() / Self.count
    do throws(ModelError) { try interpreter.run() } catch { throw .model(error) }
    stages.running = clock.lap() / Self.count
    var results: [Result] = []
    for (place, mapping) in mappings.enumerated() {
      results.append(
        try reader.read(interpreter, picture: place, of: Self.count) {
          outputs throws(VisionError) in try body(outputs, mapping)
        })
      stages.reading = clock.lap()
      VisionEvent.report(.pictureSeen(stages))
    }
    return results
  }
}

extension Interpreter {
  /// The bytes of each output that are one picture's.
  fileprivate func outputBytes(picture: Int, of count: Int) -> [[UInt8]] {
    outputs.indices.map { index in
      (main.placedOutputBytes(at: index)?.part(picture, of: count)).map { Array($0) } ?? []
    }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// One of `count` parts of equal length.
  fileprivate func part(_ index: Int, of count: Int) -> UnsafeMutableRawBufferPointer {
    let length = self.count / count
    return UnsafeMutableRawBufferPointer(rebasing: self[index * length..<(index + 1) * length])
  }
}
