import OcellusEngine
import OcellusModelFile

/// The elements that a pool or a reduction combines to one result, as read from the file.
///
/// Each element has a *place*, by which it differs from all others of its group, and a *lane*:
/// groups of different lanes share nothing. The windows of a pool overlap, but any window of h×w
/// pixels contains each remainder of lines by h and of columns by w once, so that these are its
/// places and channels are its lanes.
struct ElementGroups {
  let places: [Int32]
  let lanes: [Int32]
  /// The number of places.
  let size: Int
  let laneCount: Int
  /// Whether some groups may lack places, as windows do that reach beyond the image.
  let areWindows: Bool

  /// - Returns: `nil` if the file does not tell the groups.
  init?(_ node: OperatorRecord, named name: String, in subgraph: SubgraphRecord, of shape: Shape) {
    let extents = shape.dimensions
    guard shape.elementCount > 0, shape.elementCount < 1 << 27 else { return nil }
    if name.hasSuffix("_POOL_2D") {
      let fields = OptionFields(node)
      let height = fields.integer("filter_height", default: 0)
      let width = fields.integer("filter_width", default: 0)
      guard extents.count == 4, height > 0, width > 0 else { return nil }
      self.init(windowsOf: min(height, extents[1]), min(width, extents[2]), extents)
    } else {
      guard node.inputs.count == 2, node.inputs[1] >= 0,
        let axes = subgraph.tensors[node.inputs[1]].int32Constant
      else { return nil }
      let reduced = Set(axes.map { Int($0) < 0 ? Int($0) + extents.count : Int($0) })
      guard reduced.isSubset(of: extents.indices) else { return nil }
      self.init(reducing: reduced, extents)
    }
  }

  private init(windowsOf height: Int, _ width: Int, _ extents: [Int]) {
    let channels = extents[3]
    (size, laneCount, areWindows) = (height * width, channels, true)
    var (places, lanes): ([Int32], [Int32]) = ([], [])
    for _ in 0..<extents[0] {
      for y in 0..<extents[1] {
        for x in 0..<extents[2] {
          let place = Int32(y % height * width + x % width)
          places.append(contentsOf: repeatElement(place, count: channels))
          lanes.append(contentsOf: 0..<Int32(channels))
        }
      }
    }
    (self.places, self.lanes) = (places, lanes)
  }

  private init(reducing reduced: Set<Int>, _ extents: [Int]) {
    func product(_ isReduced: Bool) -> Int {
      extents.indices.filter { reduced.contains($0) == isReduced }.map { extents[$0] }
        .reduce(1, *)
    }
    (size, laneCount, areWindows) = (product(true), product(false), false)
    var (places, lanes): ([Int32], [Int32]) = ([], [])
    for element in 0..<extents.reduce(1, *) {
      var (rest, place, lane) = (element, 0, 0)
      var (placeCount, lanesBefore) = (1, 1)
      for axis in extents.indices.reversed() {
        let coordinate = rest % extents[axis]
        rest /= extents[axis]
        if reduced.contains(axis) {
          place += coordinate * placeCount
          placeCount *= extents[axis]
        } else {
          lane += coordinate * lanesBefore
          lanesBefore *= extents[axis]
        }
      }
      places.append(Int32(place))
      lanes.append(Int32(lane))
    }
    (self.places, self.lanes) = (places, lanes)
  }
}

extension TensorRecord {
  /// The elements of a constant of 32-bit integers.
  fileprivate var int32Constant: [Int32]? {
    guard type == .int32, let data, data.count.isMultiple(of: 4) else { return nil }
    return stride(from: 0, to: data.count, by: 4).map {
      Int32(littleEndian: data.loadUnaligned(fromByteOffset: $0, as: Int32.self))
    }
  }
}
