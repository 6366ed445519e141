import OcellusEngine
import OcellusImaging

extension CenterMapDecoder: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    [false, true].lazy.compactMap { recognize(facts, isPlanar: $0) }.first.map {
      .likely($0, source: "the outputs' shapes")
    }
  }

  private static func recognize(_ facts: DetectorFacts, isPlanar: Bool) -> CenterMapDecoder? {
    let size = facts.inputSize
    let grids = facts.shapes.map { shape in
      shape.count == 4 && shape[0] == 1 ? Array(isPlanar ? shape[2...] : shape[1...2]) : []
    }
    let stride = [4, 8].first { stride in
      grids.allSatisfy { $0.map { stride * $0 } == [size.height, size.width] }
    }
    guard (3...4).contains(grids.count), let stride else { return nil }
    let channels = facts.shapes.map { $0[isPlanar ? 1 : 3] }
    func decoder(_ heat: Int, _ boxes: Int, _ sizes: Sizes) -> CenterMapDecoder {
      CenterMapDecoder(
        heat: heat, boxes: boxes, sizes: sizes,
        activation: facts.model.graph.outputs[heat].ending == .linear ? .sigmoid : .none,
        classes: channels[heat], isPlanar: isPlanar)
    }
    let order = grids.count == 4 ? facts.model.originalOrder : Array(channels.indices)
    if grids.count == 3, let heat = channels.firstIndex(of: 1),
      let boxes = channels.firstIndex(of: 4), let points = channels.firstIndex(of: 10)
    {
      return decoder(heat, boxes, .edges(keypoints: points, areLogarithms: stride == 4))
    }
    guard stride == 4 else { return nil }
    let pairs = order.filter { channels[$0] == 2 }
    let points = grids.count == 4 ? channels.firstIndex(of: 10) : nil
    // Names distinguish sizes from offsets; without such names, the order of computation does.
    guard pairs.count == 2, points != nil || grids.count == 3,
      let heat = order.first(where: { channels[$0] != 2 && $0 != points })
    else { return nil }
    let sizesAreLast =
      facts.model.output(pairs[1], isCalled: ["wh", "size", "scale"])
      || facts.model.output(pairs[0], isCalled: ["reg", "off"])
    let (sizes, offsets) = sizesAreLast ? (pairs[1], pairs[0]) : (pairs[0], pairs[1])
    return decoder(
      heat, sizes,
      points.map { .logarithms(offsets: offsets, keypoints: $0) }
        ?? .widthAndHeight(offsets: offsets))
  }
}
