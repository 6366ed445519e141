package import OcellusJSON
import OcellusPlatform

extension Annotations {
  /// Reads the JSON file of a data set in COCO's format: `images`, `annotations`, `categories`.
  init(coco path: String, images folder: String?) throws(VisionError) {
    let parts = try COCOParts(path)
    let categories = try parts.rows("categories") { row throws(VisionError) in
      (id: try row.integer("id"), name: try row.string("name"))
    }.sorted { $0.id < $1.id }
    let pairs = categories.enumerated().map { ($0.element.id, $0.offset) }
    let categoryOfNumber = Dictionary(pairs) { first, _ in first }
    let found = try parts.rows("images") { row throws(VisionError) in
      (id: try row.integer("id"), name: row.object["file_name"]?.string)
    }.sorted { $0.id < $1.id }
    var pictures: [Picture] = []
    var indexOfImage: [Int: Int] = [:]
    for (id, name) in found {
      guard indexOfImage.updateValue(pictures.count, forKey: id) == nil else {
        throw .unreadable("\(path): two images have the id \(id)")
      }
      pictures.append(Picture(name: name ?? "\(id)", identifier: "\(id)"))
    }
    _ = try parts.rows("annotations") { row throws(VisionError) in
      guard let index = indexOfImage[try row.integer("image_id")] else {
        throw row.error("no image has its image_id")
      }
      guard let category = categoryOfNumber[try row.integer("category_id")] else {
        throw row.error("no category has its category_id")
      }
      let isCrowd = row.object["iscrowd"].map { $0 == .integer(1) || $0 == .bool(true) } ?? false
      pictures[index].objects.append(
        AnnotatedObject(
          category: category, box: try row.box("bbox"), area: row.object["area"]?.number,
          kind: isCrowd ? .crowd : .object))
    }
    let parent = path.parentPath
    self.init(
      .objects, categories: categories.map(\.name), pictures: pictures,
      categoryOfNumber: categoryOfNumber,
      folders: folder.map { [$0] } ?? [
        parent, "\(parent)/images", "\(parent)/../images", "\(parent)/..",
        "\(parent)/../\(path.fileStem)", "\(parent)/../\(path.fileStem.suffixAfterUnderscore)",
      ])
  }
}

extension String {
  /// The text after the first underscore, as in `instances_val2017`.
  fileprivate var suffixAfterUnderscore: Substring {
    split(separator: "_", maxSplits: 1).last ?? ""
  }
}

/// The top-level lists of a COCO file.
private struct COCOParts {
  let path: String
  let object: JSONObject

  init(_ path: String) throws(VisionError) {
    self.path = path
    let bytes: [UInt8]
    do throws(FileError) { bytes = try FileSystem.read(path, limit: Self.maximumBytes) } catch {
      throw .unreadable(error.description)
    }
    do throws(JSONError) { object = try JSONParser.parse(bytes).object ?? JSONObject() } catch {
      throw .unreadable("\(path): \(error.description)")
    }
  }

  private static let maximumBytes = 1 << 32

  /// Returns what `body` reads from each element of a list.
  func rows<Row>(
    _ list: String, _ body: (COCORow) throws(VisionError) -> Row
  ) throws(VisionError) -> [Row] {
    guard let elements = object[list]?.array else {
      throw .unreadable(
        "\(path): COCO annotations must have a list '\(list)'")
    }
    var rows: [Row] = []
    for (index, element) in elements.enumerated() {
      rows.append(
        try body(
          COCORow(position: "\(path): \(list)[\(index)]", object: element.object ?? JSONObject())))
    }
    return rows
  }
}

/// An element of one of COCO's lists, with its position for error messages.
package struct COCORow {
  package let position: String
  package let object: JSONObject

  package init(position: String, object: JSONObject) {
    self.position = position
    self.object = object
  }

  package func error(_ problem: String) -> VisionError { .unreadable("\(position): \(problem)") }

  package func integer(_ name: String) throws(VisionError) -> Int {
    // Python writes whole numbers as 1.0 in columns that also have fractions.
    guard let value = object[name],
      let number = value.integer ?? value.number.flatMap(Int.init(exactly:))
    else { throw error("\(name) is no whole number") }
    return number
  }

  package func string(_ name: String) throws(VisionError) -> String {
    guard let text = object[name]?.string else { throw error("\(name) is no text") }
    return text
  }

  package func number(_ name: String) throws(VisionError) -> Double {
    guard let number = object[name]?.number, number.isFinite else {
      throw error("\(name) is no number")
    }
    return number
  }

  /// Reads a box from a list of left edge, upper edge, width and height.
  package func box(_ name: String) throws(VisionError) -> CornerBox {
    let numbers = (object[name]?.array ?? []).compactMap(\.number).filter(\.isFinite)
    guard numbers.count == 4, object[name]?.array?.count == 4 else {
      throw error("\(name) has to be a list of left, top, width and height")
    }
    return CornerBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
