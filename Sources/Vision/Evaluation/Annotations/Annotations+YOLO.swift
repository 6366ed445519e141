import OcellusImaging
import OcellusPlatform

extension Annotations {
  /// Reads a folder of text files in YOLO's format, one for each picture.
  ///
  /// Pictures without a text file have no objects.
  init(yolo files: [String], in folder: String, images: String?) throws(VisionError) {
    let folders = images.map { [$0] } ?? YOLOAnnotations.imageFolders(for: folder)
    var paths: [String] = []
    for candidate in folders where paths.isEmpty {
      paths = (try? PictureSequence.pictures(in: candidate)) ?? []
    }
    let known = Set(paths.map(\.fileStem))
    if let stray = files.first(where: { !known.contains($0.fileStem) }) {
      throw .unreadable(
        "\(folder)/\(stray): there is no picture of this name in \(folders.joined(separator: ", "))"
      )
    }
    let annotated = Set(files)
    var pictures: [Picture] = []
    for path in paths {
      var picture = Picture(name: path.lastPathComponent, identifier: path.fileStem)
      if annotated.contains(path.fileStem + ".txt") {
        picture.objects = try YOLOAnnotations.objects(
          in: "\(folder)/\(path.fileStem).txt", size: try YOLOAnnotations.size(of: path))
      }
      pictures.append(picture)
    }
    let count = (pictures.flatMap { $0.objects.map(\.category) }.max() ?? -1) + 1
    let names = try YOLOAnnotations.names(for: folder)?.names ?? []
    let categories = (0..<max(count, names.count)).map { index in
      (index < names.count ? names[index] : nil) ?? "\(index)"
    }
    self.init(
      .objects, categories: categories, pictures: pictures,
      folders: paths.first.map { [$0.parentPath] } ?? folders)
  }
}

/// The files of a data set in YOLO's format.
enum YOLOAnnotations {
  /// The usual names of the files that list the classes.
  private static let nameFiles = [
    "data.yaml", "dataset.yaml", "classes.txt", "obj.names", "names.txt", "labels.txt",
  ]
  /// The limit of class indices in files, which bounds the length of the list of classes.
  private static let maximumCategories = 100_000

  /// Returns the names of the annotation files in a folder.
  static func files(in folder: String) -> [String] {
    Annotations.names(in: folder).filter { $0.hasSuffix(".txt") && !nameFiles.contains($0) }
  }

  /// Returns the folders that may hold the pictures of a folder of annotations, in order.
  static func imageFolders(for folder: String) -> [String] {
    var parts = folder.split(separator: "/", omittingEmptySubsequences: false)
    if let index = parts.lastIndex(of: "labels") { parts[index] = "images" }
    return [parts.joined(separator: "/"), folder, folder + "/../images"]
  }

  /// Returns the names of the classes, from a file in the folder or up to two levels above it.
  static func names(for folder: String) throws(VisionError) -> Labels? {
    for candidate in [folder, folder + "/..", folder + "/../.."] {
      for name in nameFiles where TextFile.exists("\(candidate)/\(name)") {
        return try Labels(contentsOf: "\(candidate)/\(name)")
      }
    }
    return nil
  }

  /// Returns the size of an upright picture.
  static func size(of path: String) throws(VisionError) -> PixelSize {
    var options = ImageDecodingOptions()
    options.minimumSize = PixelSize(width: 1, height: 1)
    do throws(ImageError) {
      return try DecodedImage(contentsOf: path, options: options).sourceSize
    } catch {
      throw .image(error)
    }
  }

  /// Reads the objects of a picture: lines of a class and coordinates in fractions of the picture.
  static func objects(
    in path: String, size: PixelSize
  ) throws(VisionError) -> [AnnotatedObject] {
    let lines = try TextFile.contents(of: path).lines
    var objects: [AnnotatedObject] = []
    for (index, line) in lines.enumerated() {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let first = words.first else { continue }
      let numbers = words.dropFirst().compactMap { Double($0) }.filter(\.isFinite)
      guard let category = Int(first), (0..<maximumCategories).contains(category),
        numbers.count == words.count - 1, let box = box(numbers)
      else {
        throw .unreadable(
          "\(path), line \(index + 1): a line holds a class number and the middle, width and height of a "
            + "box, or the points of an outline")
      }
      let (width, height) = (Double(size.width), Double(size.height))
      objects.append(
        AnnotatedObject(
          category: category,
          box: CornerBox(
            x: box.x * width, y: box.y * height, width: box.width * width,
            height: box.height * height)))
    }
    return objects
  }

  /// Returns the box in a line's numbers: a centre and a size, or the points of an outline.
  private static func box(_ numbers: [Double]) -> CornerBox? {
    if numbers.count == 4 {
      return CornerBox(
        x: numbers[0] - numbers[2] / 2, y: numbers[1] - numbers[3] / 2, width: numbers[2],
        height: numbers[3])
    }
    guard numbers.count >= 6, numbers.count.isMultiple(of: 2) else { return nil }
    let xs = stride(from: 0, to: numbers.count, by: 2).map { numbers[$0] }
    let ys = stride(from: 1, to: numbers.count, by: 2).map { numbers[$0] }
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max()
    else { return nil }
    return CornerBox(x: left, y: top, width: right - left, height: bottom - top)
  }
}
