import OcellusEngine
import OcellusImaging

/// The condition for running a network on several pictures at once.
package enum Batching {
  /// If the results are bit-exact and it is faster.
  case whereFaster
  /// If the results are bit-exact.
  case wherePossible
  case never
}

/// Runs a network on several pictures at once.
///
/// Most detectors have a fixed batch size of one; other networks accept any first dimension. Shapes
/// do not show whether a network treats the pictures independently. So this is tested with noise
/// pictures: the results must be bit-exact with those of single runs.
struct PictureBatch {
  /// The number of pictures in a run: more do not run faster, but need more memory.
  static let count = 4

  private let interpreter: Interpreter

  /// Creates a batch for the network that `alone` runs; `nil` if it is impossible or of no use.
  ///
  /// - Throws: `VisionError.model` only when the test is cancelled.
  init?(
    of model: Model, like alone: Interpreter, running: Interpreter.Options,
    shownBy preprocessor: PicturePreprocessor, _ batching: Batching
  ) throws(VisionError) {
    // A time limit is meant for a single picture.
    guard alone.inputs.count == 1, !running.budget.hasDeadlinePerRun,
      let shape = alone.inputs.first?.shape.dimensions, shape.count == 4, shape[0] == 1
    else { return nil }
    do throws(ModelError) {
      interpreter = try Interpreter(model, options: running, stoppedWith: alone)
      try interpreter.resizeInput(at: 0, to: Shape([Self.count] + shape.dropFirst()))
      try interpreter.allocate()
      // A separate interpreter keeps the test from changing the state of stateful networks.
      let single = try Interpreter(model, options: running, stoppedWith: alone)
      try single.resizeInput(at: 0, to: Shape(shape))
      try single.allocate()
      // The memory budget is for all interpreters together.
      let memory = interpreter.memoryInUse + single.memoryInUse + alone.memoryInUse
      guard memory <= running.budget.bytes else { return nil }
      guard let times = try trial(beside: single, preprocessor) else { return nil }
      if batching == .whereFaster, times.together >= times.alone { return nil }
    } catch {
      if error.kind == .cancelled { throw .model(error) }
      return nil
    }
  }

  /// Returns the durations of single runs and of a joint run; `nil` if the results differ.
  private func trial(
    beside single: Interpreter, _ preprocessor: PicturePreprocessor
  ) throws(ModelError) -> (alone: Duration, together: Duration)? {
    let clock = ContinuousClock()
    var alone = Duration.seconds(Int.max)
    var outputs: [[[UInt8]]] = []
    for index in 0..<Self.count {
      guard fill(single, index: 0, of: 1, withNoise: index, preprocessor),
        fill(interpreter, index: index, of: Self.count, withNoise: index, preprocessor)
      else { return nil }
      let start = clock.now
      try single.run()
      alone = min(alone, start.duration(to: clock.now) * Self.count)
      outputs.append(single.outputBytes(picture: 0, of: 1))
    }
    guard fits(single.outputs) else { return nil }
    var together = Duration.seconds(Int.max)
    // The first run touches its memory for the first time, so the faster of two counts.
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

  /// Whether the outputs are those of a single picture with the batch as first dimension.
  private func fits(_ single: [TensorDescription]) -> Bool {
    zip(interpreter.outputs, single).allSatisfy { many, one in
      let (many, one) = (many.shape.dimensions, one.shape.dimensions)
      return !one.isEmpty && one[0] == 1 && many == [Self.count] + one.dropFirst()
    }
  }

  private func fill(
    _ interpreter: Interpreter, index: Int, of count: Int, withNoise seed: Int,
    _ preprocessor: PicturePreprocessor
  ) -> Bool {
    guard let bytes = interpreter.main.placedInputBytes(at: 0) else { return false }
    let size = preprocessor.tensor.size
    var state = UInt32(seed + 1)
    let noise = (0..<size.width * size.height * 3).map { _ -> UInt8 in
      // The generator of "Numerical Recipes"; its high bits are the most random.
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    do throws(ImageError) {
      let image = try Image(.rgb8, size: size, bytes: noise)
      try preprocessor.fill(bytes.slice(index, of: count), with: image)
      return true
    } catch {
      return false
    }
  }

  /// Runs the network on a full batch of pictures, and calls `body` with the outputs of each.
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
    for (index, image) in images.enumerated() {
      do throws(ImageError) {
        mappings.append(
          try preprocessor.fill(bytes.slice(index, of: Self.count), with: image))
      } catch {
        throw .image(error)
      }
    }
    stages.preparing = clock.lap() / Self.count
    do throws(ModelError) { try interpreter.run() } catch { throw .model(error) }
    stages.running = clock.lap() / Self.count
    var results: [Result] = []
    for (index, mapping) in mappings.enumerated() {
      results.append(
        try reader.read(interpreter, picture: index, of: Self.count) {
          outputs throws(VisionError) in try body(outputs, mapping)
        })
      stages.reading = clock.lap()
      VisionEvent.report(.pictureSeen(stages))
    }
    return results
  }
}

extension Interpreter {
  /// Returns one picture's slice of the bytes of each output.
  fileprivate func outputBytes(picture: Int, of count: Int) -> [[UInt8]] {
    outputs.indices.map { index in
      (main.placedOutputBytes(at: index)?.slice(picture, of: count)).map { Array($0) } ?? []
    }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Returns one of `count` slices of equal length.
  fileprivate func slice(_ index: Int, of count: Int) -> UnsafeMutableRawBufferPointer {
    let length = self.count / count
    return UnsafeMutableRawBufferPointer(rebasing: self[index * length..<(index + 1) * length])
  }
}
