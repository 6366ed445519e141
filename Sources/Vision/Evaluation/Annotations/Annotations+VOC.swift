import OcellusPlatform

extension Annotations {
  /// Reads a folder of XML files in PASCAL VOC's format, one for each picture.
  init(voc files: [String], in folder: String, images: String?) throws(VisionError) {
    var found: [(picture: Picture, objects: [VOCObject])] = []
    for file in files {
      let path = "\(folder)/\(file)"
      let element = try Self.element(in: path)
      let name = element["filename"]?.text.trimmed ?? ""
      var objects: [VOCObject] = []
      for child in element.children where child.name == "object" {
        objects.append(try VOCObject(child, path: path))
      }
      let picture = Picture(
        name: name.isEmpty ? file.fileStem + ".jpg" : String(name), identifier: file.fileStem)
      found.append((picture, objects))
    }
    let categories = Set(found.flatMap { $0.objects.map(\.name) }).sorted()
    let indices = Dictionary(uniqueKeysWithValues: categories.enumerated().map { ($1, $0) })
    self.init(
      .objects, categories: categories,
      pictures: found.map { picture, objects in
        var picture = picture
        picture.objects = objects.compactMap { object in
          indices[object.name].map {
            AnnotatedObject(category: $0, box: object.box, kind: object.kind)
          }
        }
        return picture
      },
      // The order of the names means nothing, so numbers are only those that stand for names.
      categoryOfNumber: Self.indices(ofNumbers: categories) ?? [:],
      folders: images.map { [$0] } ?? [
        folder, folder + "/../JPEGImages", folder + "/../images", folder + "/..",
      ])
  }

  private static func element(in path: String) throws(VisionError) -> XMLElement {
    let text = try TextFile.contents(of: path)
    do throws(XMLElement.Mistake) { return try XMLElement.parse(Array(text.utf8)) } catch {
      throw .unreadable("\(path): not XML at byte \(error.byteOffset): \(error.problem)")
    }
  }
}

/// An object in a PASCAL VOC file.
private struct VOCObject {
  let name: String
  let box: CornerBox
  let kind: AnnotatedObject.Kind

  init(_ element: XMLElement, path: String) throws(VisionError) {
    let name = element["name"]?.text.trimmed ?? ""
    guard !name.isEmpty else {
      throw .unreadable("\(path): the object at byte \(element.byteOffset) has no name")
    }
    self.name = String(name)
    var edges: [Double] = []
    for edge in ["xmin", "ymin", "xmax", "ymax"] {
      let text = element["bndbox"]?[edge]?.text.trimmed ?? ""
      guard let number = Double(text), number.isFinite else {
        throw .unreadable(
          "\(path): the object at byte \(element.byteOffset) has no number as \(edge)")
      }
      edges.append(number)
    }
    // VOC counts pixels from 1 and includes the last one.
    box = CornerBox(
      x: edges[0] - 1, y: edges[1] - 1, width: edges[2] - edges[0] + 1,
      height: edges[3] - edges[1] + 1)
    kind = element["difficult"]?.text.trimmed == "1" ? .difficult : .object
  }
}
