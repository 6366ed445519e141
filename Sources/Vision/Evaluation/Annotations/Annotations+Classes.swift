import OcellusImaging
import OcellusPlatform

extension Annotations {
  /// Reads a folder that has a subfolder of pictures for each class.
  init(classes: [String], in folder: String) throws(VisionError) {
    var pictures: [Picture] = []
    for (category, name) in classes.enumerated() {
      let paths: [String]
      do throws(ImageError) { paths = try PictureSequence.pictures(in: "\(folder)/\(name)") } catch
      {
        throw .image(error)
      }
      pictures += paths.map { path in
        Picture(
          name: "\(name)/\(path.lastPathComponent)", identifier: path.fileStem, category: category)
      }
    }
    self.init(.pictures, categories: classes, pictures: pictures, folders: [folder])
  }

  /// Reads a table of pictures: the file is in the first column, its class in the last.
  init(table path: String, images: String?) throws(VisionError) {
    let rows = LabelTable.rows(
      in: try TextFile.contents(of: path), separatedBy: path.hasSuffix(".tsv") ? "\t" : ",")
    var found: [(file: String, name: String)] = []
    for (index, row) in rows.enumerated() {
      guard row.count >= 2, !row[0].isEmpty, let name = row.last, !name.isEmpty else {
        throw .unreadable("\(path), row \(index + 1): a row holds a file and the name of its class")
      }
      // The first row is a header if its first cell has no dot, unlike a file name.
      if index == 0, !row[0].contains(".") { continue }
      found.append((row[0], name))
    }
    let categories = Set(found.map(\.name)).sorted()
    let indices = Dictionary(uniqueKeysWithValues: categories.enumerated().map { ($1, $0) })
    self.init(
      .pictures, categories: categories,
      pictures: found.map {
        Picture(name: $0.file, identifier: $0.file.fileStem, category: indices[$0.name])
      },
      folders: images.map { [$0] } ?? [path.parentPath, path.parentPath + "/images"])
  }
}
