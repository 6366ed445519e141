package import OcellusImaging
package import OcellusJSON

extension Detection {
  /// Returns the detection as JSON; `size` is the size of the picture.
  package func json(in size: PixelSize) -> JSONValue {
    [
      "box": box.json, "normalized_box": box.normalized(by: size).json,
      "score": .number(Double(score)),
      "categories": .array(categories.map(\.json)),
      "keypoints": .array(keypoints.map { [.number($0.x), .number($0.y)] }),
      "tracking_id": trackingID.map { .integer($0) } ?? .null,
    ]
  }
}

extension BoundingBox {
  /// The edges as JSON.
  fileprivate var json: JSONValue {
    [
      "left": .number(left), "top": .number(top), "right": .number(right),
      "bottom": .number(bottom),
    ]
  }
}

extension Category {
  /// The category as JSON.
  package var json: JSONValue {
    [
      "index": .integer(index), "label": .string(orNull: label), "score": .number(Double(score)),
    ]
  }
}

extension Pose {
  /// The pose as JSON.
  package var json: JSONValue {
    [
      "score": score.map { .number(Double($0)) } ?? .null,
      "points": .array(
        points.enumerated().map { index, point in
          [
            "index": .integer(index), "name": .string(orNull: point.name),
            "x": .number(point.position.x), "y": .number(point.position.y),
            "score": point.score.map { .number(Double($0)) } ?? .null,
          ]
        }),
    ]
  }
}
