import OcellusImaging
import OcellusJSON
import OcellusPlatform

/// What is in pictures, as people wrote it down: the truth that models are measured by.
public struct Annotations: Sendable {
  /// A picture, and what is in it.
  public struct Picture: Sendable {
    /// The name of its file, as the annotations have it.
    public var name: String
    /// What results in COCO's format call it: its number there; elsewhere the file's name without ending.
    public var identifier: String
    /// The objects in it.
    public var objects: [AnnotatedObject] = []
    /// The class of the picture as a whole, where that is what was written down.
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

  /// What the annotations are about.
  public enum Subject: Hashable, Sendable {
    /// Objects and their places.
    case objects
    /// Pictures as a whole.
    case pictures
  }

  /// What they are about.
  public let subject: Subject
  /// The names of the classes.
  public internal(set) var categories: [String]
  /// The pictures, in the order in which they are counted.
  public internal(set) var pictures: [Picture]
  /// The class for each number that results in COCO's format may say.
  public internal(set) var categoryOfNumber: [Int: Int]
  /// The folders in which the pictures may be.
  public internal(set) var folders: [String]

  init(
    _ subject: Subject, categories: [String], pictures: [Picture],
    categoryOfNumber: [Int: Int]? = nil, folders: [String]
  ) {
    self.subject = subject
    self.categories = categories
    self.pictures = pictures
    let places = categories.indices.map { ($0, $0) }
    self.categoryOfNumber = categoryOfNumber ?? Dictionary(uniqueKeysWithValues: places)
    self.folders = folders
  }

  /// Reads annotations in the form that their files tell.
  ///
  /// About objects: a JSON file as COCO has it, a folder of XML files as PASCAL VOC has it, a folder of text
  /// files as YOLO has it. About pictures: a folder with a folder of pictures for each class, or a table of
  /// files and classes (`.csv`, `.tsv`). `images` is the folder of the pictures, where it is not found.
  /// - Throws: what is wrong with the files, and where.
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

  /// The names in a folder; none where there is no such folder.
  static func names(in folder: String) -> [String] {
    (try? FileSystem.entries(of: folder)) ?? []
  }

  /// What they say about one of the pictures alone.
  package func alone(_ place: Int) -> Annotations {
    var annotations = self
    annotations.pictures = [pictures[place]]
    return annotations
  }

  /// The file of a picture.
  ///
  /// - Throws: where it was looked for.
  public func path(of picture: Picture) throws(VisionError) -> String {
    let places = picture.name.hasPrefix("/") ? [""] : folders.map { $0 + "/" }
    guard let place = places.first(where: { FileSystem.exists($0 + picture.name) }) else {
      throw .unreadable(
        "there is no picture '\(picture.name)' in \(folders.joined(separator: ", "))")
    }
    return place + picture.name
  }
}

extension String {
  /// The last part of the path without its ending.
  var fileStem: String {
    let name = lastPathComponent
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }
}
