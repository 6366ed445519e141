import OcellusImaging
import OcellusJSON
import OcellusPlatform

/// The ground truth of a set of pictures, against which models are evaluated.
public struct Annotations: Sendable {
  /// A picture with its annotations.
  public struct Picture: Sendable {
    /// The file name of the picture, as in the annotations.
    public var name: String
    /// The identifier in results: COCO's image id, or the file name without its extension.
    public var identifier: String
    /// The annotated objects.
    public var objects: [AnnotatedObject] = []
    /// The class of the whole picture, when pictures are annotated as a whole.
    public var category: Int?

    package init(
      name: String, identifier: String, objects: [AnnotatedObject] = [], category: Int? = nil
    ) {
      self.name = name
      self.identifier = identifier
      self.objects = objects
      self.category = category
    }
  }

  /// The kind of the annotations.
  public enum Subject: Hashable, Sendable {
    /// Objects with their boxes.
    case objects
    /// Classes of whole pictures.
    case pictures
  }

  /// The kind of the annotations.
  public let subject: Subject
  /// The names of the classes.
  public internal(set) var categories: [String]
  /// The pictures, in the order of evaluation.
  public internal(set) var pictures: [Picture]
  /// The index of the class for each category id that results in COCO's format may contain.
  ///
  /// It is empty if the annotations' format has names of classes and no numbers.
  public internal(set) var categoryOfNumber: [Int: Int]
  /// The folders that may hold the pictures.
  public internal(set) var folders: [String]

  init(
    _ subject: Subject, categories: [String], pictures: [Picture],
    categoryOfNumber: [Int: Int]? = nil, folders: [String]
  ) {
    self.subject = subject
    self.categories = categories
    self.pictures = pictures
    let pairs = categories.indices.map { ($0, $0) }
    self.categoryOfNumber =
      categoryOfNumber ?? Self.indices(ofNumbers: categories)
      ?? Dictionary(uniqueKeysWithValues: pairs)
    self.folders = folders
  }

  /// The index of each class by its number, if the annotations have no names but numbers.
  package var indexOfCategoryNumber: [Int: Int]? { Self.indices(ofNumbers: categories) }

  /// Returns the positions of whole numbers; `nil` if a name is no number or a number is repeated.
  static func indices(ofNumbers names: [String]) -> [Int: Int]? {
    var indices: [Int: Int] = [:]
    for (index, name) in names.enumerated() {
      guard name.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(name),
        indices.updateValue(index, forKey: number) == nil
      else { return nil }
    }
    return indices.isEmpty ? nil : indices
  }

  /// The number of annotations of each class.
  package var annotationCounts: [Int] {
    var counts = [Int](repeating: 0, count: categories.count)
    for picture in pictures {
      if let category = picture.category { counts[category] += 1 }
      for object in picture.objects where object.kind == .object { counts[object.category] += 1 }
    }
    return counts
  }

  /// Reads annotations; their format is inferred from the files.
  ///
  /// For objects: a JSON file in COCO's format, a folder of XML files in PASCAL VOC's format, or a
  /// folder of text files in YOLO's format. For whole pictures: a folder with a subfolder of
  /// pictures for each class, or a table of files and classes (`.csv`, `.tsv`). `images` is the
  /// folder of the pictures, for when it is not found by itself.
  /// - Throws: `VisionError` that names the invalid file and, where possible, the position in it.
  public init(contentsOf path: String, images: String? = nil) throws(VisionError) {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    if FileSystem.isDirectory(path) {
      self = try Self.folder(path, images: images)
    } else if path.hasSuffix(".csv") || path.hasSuffix(".tsv") {
      self = try Annotations(table: path, images: images)
    } else {
      self = try Annotations(coco: path, images: images)
    }
    guard !pictures.isEmpty else { throw .unreadable("\(path): there are no pictures in it") }
  }

  private static func folder(
    _ path: String, images: String?
  ) throws(VisionError) -> Annotations {
    for folder in [path, path + "/Annotations", path + "/annotations"] {
      let files = names(in: folder).filter { $0.hasSuffix(".xml") }
      if !files.isEmpty { return try Annotations(voc: files, in: folder, images: images) }
    }
    for folder in [path, path + "/labels"] {
      let files = YOLOAnnotations.files(in: folder)
      if !files.isEmpty { return try Annotations(yolo: files, in: folder, images: images) }
    }
    let classes = names(in: path).filter { FileSystem.isDirectory("\(path)/\($0)") }
    guard !classes.isEmpty else {
      throw .unreadable(
        "\(path): there are neither XML files as PASCAL VOC has them, nor text files as YOLO has them, "
          + "nor a folder of pictures for each class")
    }
    return try Annotations(classes: classes, in: path)
  }

  /// Returns the names in a folder; none when there is no such folder.
  static func names(in folder: String) -> [String] {
    (try? FileSystem.entries(of: folder)) ?? []
  }

  /// Returns the annotations of a single picture, by its index.
  package func alone(_ index: Int) -> Annotations {
    var annotations = self
    annotations.pictures = [pictures[index]]
    return annotations
  }

  /// Returns the path of a picture.
  ///
  /// - Throws: `VisionError.unreadable` with the folders that were searched.
  public func path(of picture: Picture) throws(VisionError) -> String {
    let prefixes = picture.name.hasPrefix("/") ? [""] : folders.map { $0 + "/" }
    guard let prefix = prefixes.first(where: { FileSystem.exists($0 + picture.name) }) else {
      throw .unreadable(
        "there is no picture '\(picture.name)' in \(folders.joined(separator: ", "))")
    }
    return prefix + picture.name
  }
}

extension String {
  /// The last path component without its extension.
  var fileStem: String {
    let name = lastPathComponent
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }
}
