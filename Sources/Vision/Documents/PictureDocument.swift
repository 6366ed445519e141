package import OcellusImaging
package import OcellusJSON

/// The published JSON about one picture, as commands print it and servers answer with it.
package struct PictureDocument: Sendable {
  /// The path of the picture's file, or `-` if it came from a stream.
  package var path: String
  /// The size of the upright picture; boxes and points are in its pixels.
  package var size: PixelSize
  package var milliseconds: Double
  /// Warnings about damage that decoding skipped.
  package var warnings: [String]

  package init(path: String, size: PixelSize, milliseconds: Double, warnings: [String]) {
    self.path = path
    self.size = size
    self.milliseconds = milliseconds
    self.warnings = warnings
  }

  private var beginning: JSONObject {
    ["image": .string(path), "width": .integer(size.width), "height": .integer(size.height)]
  }

  private var time: JSONObject { ["milliseconds": .number(milliseconds)] }

  private var end: JSONObject { ["warnings": .strings(warnings)] }

  /// Returns the document about the objects in the picture.
  package func objects(_ detections: [Detection], annotatedPath: String? = nil) -> JSONObject {
    beginning + ["detections": .array(detections.map { $0.json(in: size) })] + time
      + ["annotated": .string(orNull: annotatedPath)] + end
  }

  /// Returns the document about the classes of the whole picture.
  package func labels(_ categories: [Category]) -> JSONObject {
    beginning + ["labels": .array(categories.map(\.json))] + time + end
  }

  /// Returns the document about the classes of the picture's pixels.
  package func classes(
    _ shares: [ClassShare], labels: Labels, maskPath: String? = nil, annotatedPath: String? = nil
  ) -> JSONObject {
    let classes = shares.map { share -> JSONValue in
      [
        "index": .integer(share.index), "label": .string(orNull: labels[share.index]),
        "pixels": .integer(share.pixels), "share": .number(share.share),
      ]
    }
    return beginning
      + [
        "classes": .array(classes), "mask": .string(orNull: maskPath),
        "annotated": .string(orNull: annotatedPath),
      ] + time + end
  }

  /// Returns the document about the points of bodies, hands and faces.
  package func subjects(_ poses: [Pose], annotatedPath: String? = nil) -> JSONObject {
    beginning
      + ["subjects": .array(poses.map(\.json)), "annotated": .string(orNull: annotatedPath)] + time
      + end
  }

  /// Returns the document about the embedding of the picture, and how alike earlier pictures are.
  package func embedding(
    _ embedding: Embedding, likenesses: [(path: String, cosine: Double?)] = []
  ) -> JSONObject {
    let similarities = likenesses.map { likeness -> JSONValue in
      [
        "image": .string(likeness.path), "cosine": likeness.cosine.map { .number($0) } ?? .null,
      ]
    }
    return beginning
      + [
        "embedding": .array(embedding.values.map { .number(Double($0)) }),
        "similarities": .array(similarities),
      ] + time + end
  }
}

/// A class and its part of a picture.
package struct ClassShare: Sendable {
  package let index: Int
  package let pixels: Int
  package let share: Double

  /// Returns the classes of a picture of this size, the largest first.
  package static func all(_ pixelCounts: [Int: Int], in size: PixelSize) -> [ClassShare] {
    let total = Double(max(size.width * size.height, 1))
    return pixelCounts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { ClassShare(index: $0.key, pixels: $0.value, share: Double($0.value) / total) }
  }
}
