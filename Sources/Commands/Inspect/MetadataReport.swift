import OcellusJSON
import OcellusModelFile
import OcellusPlatform

/// The metadata of a model: named bytes, the author's descriptions, packed files.
struct MetadataReport {
  /// A file that is packed into the model file.
  struct PackedFile {
    let name: String
    let byteCount: Int
    /// The non-empty lines, if it is a label file.
    let labels: [String]?
    /// The author's description of the purpose.
    let purpose: String?
  }

  let entries: [MetadataRecord]
  let author: ModelMetadata?
  let files: [PackedFile]
  /// The errors in the metadata, which do not prevent the model from running.
  let problems: [String]

  init(of file: ModelFile) {
    entries = file.metadata
    var problems: [String] = []
    var author: ModelMetadata?
    var files: [PackedFile] = []
    do throws(ModelFileError) {
      author = try file.authorMetadata()
    } catch {
      problems.append(error.message)
    }
    do throws(ModelFileError) {
      let archive = try AssociatedFiles(in: file.bytes)
      let records = (author?.fileRecords ?? []).map { ($0.0.name, $0) }
      let recordOfName = Dictionary(records) { first, _ in first }
      for entry in archive.entries {
        files.append(PackedFile(entry, in: archive, recordOfName[entry.name]))
      }
    } catch {
      problems.append(error.message)
    }
    (self.author, self.files, self.problems) = (author, files, problems)
  }
}

extension MetadataReport.PackedFile {
  /// Describes a packed file and reads it if the author declares it as labels.
  fileprivate init(
    _ entry: ZipEntry, in archive: AssociatedFiles,
    _ record: (AssociatedFileRecord, owner: String)?
  ) {
    name = entry.name
    byteCount = entry.byteCount
    purpose = record.map { record, owner in "\(record.kind.text) of \(owner)" }
    let isLabels = [.tensorAxisLabels, .tensorValueLabels].contains(record?.0.kind)
    let contents = isLabels ? try? archive.contents(of: entry) : nil
    labels = contents.map { contents in
      String(decoding: contents, as: UTF8.self).lines.filter { !$0.isEmpty }.map(String.init)
    }
  }
}

extension ModelMetadata {
  /// All descriptions of files, and what they refer to.
  fileprivate var fileRecords: [(AssociatedFileRecord, owner: String)] {
    var records = associatedFiles.map { ($0, owner: "the model") }
    for subgraph in subgraphs {
      records += subgraph.associatedFiles.map { ($0, "the graph") }
      for (role, tensors) in [("input", subgraph.inputs), ("output", subgraph.outputs)] {
        for (index, tensor) in tensors.enumerated() {
          records += tensor.associatedFiles.map { ($0, "\(role) \(index)") }
        }
      }
    }
    return records
  }
}

extension AssociatedFileRecord.Kind {
  fileprivate var text: String {
    switch self {
    case .unknown: "a file"
    case .descriptions: "descriptions"
    case .tensorAxisLabels: "labels along the axis"
    case .tensorValueLabels: "labels for the values"
    case .tensorAxisScoreCalibration: "score calibration"
    case .vocabulary: "the vocabulary"
    case .scannIndex: "the search index"
    }
  }
}

extension MetadataReport {
  private var authorFacts: [(name: String, text: String)] {
    let facts = [
      ("name", author?.name), ("version", author?.version), ("author", author?.author),
      ("license", author?.license), ("description", author?.description),
    ]
    return facts.compactMap { name, text in
      text.flatMap { $0.isEmpty ? nil : (name, $0) }
    }
  }

  /// The metadata as text.
  var lines: String {
    var lines = entries.map { entry in
      "  \(entry.name.printableInLine): \(entry.shortText ?? entry.bytes.count.byteText)\n"
    }
    for (name, text) in authorFacts {
      let wrapped = HelpPage.wrapped("\(name): \(text)", width: 74)
      lines.append("    " + wrapped.joined(separator: "\n      ") + "\n")
    }
    for (role, tensors) in tensorsByRole {
      for (index, tensor) in tensors.enumerated() {
        lines.append("    \(role) \(index): \(tensor.summary.printableInLine)\n")
      }
    }
    for file in files {
      var line = "  packed file \(file.name): \(file.byteCount.byteText)"
      if let purpose = file.purpose { line += ", \(purpose)" }
      if let labels = file.labels {
        line += ": \(labels.prefix(3).joined(separator: ", ")), ... (\(labels.count))"
      }
      lines.append(line.printableInLine + "\n")
    }
    return lines.joined() + problems.map { "  unreadable: \($0.printableInLine)\n" }.joined()
  }

  private var tensorsByRole: [(role: String, tensors: [TensorMetadata])] {
    guard let main = author?.subgraphs.first else { return [] }
    return [("input", main.inputs), ("output", main.outputs)]
  }

  /// The metadata as JSON.
  var json: JSONValue {
    [
      "entries": .array(
        entries.map { entry in
          [
            "name": .string(entry.name), "bytes": .integer(entry.bytes.count),
            "text": .string(orNull: entry.shortText),
          ]
        }),
      "author": author == nil
        ? .null
        : .object(JSONObject(authorFacts.map { .init(name: $0.name, value: .string($0.text)) })),
      "tensors": .array(
        tensorsByRole.flatMap { role, tensors in
          tensors.enumerated().map { index, tensor -> JSONValue in
            [
              "role": .string(role), "index": .integer(index),
              "name": .string(orNull: tensor.name), "summary": .string(tensor.summary),
            ]
          }
        }),
      "files": .array(
        files.map { file in
          [
            "name": .string(file.name), "bytes": .integer(file.byteCount),
            "purpose": .string(orNull: file.purpose),
            "label_count": file.labels.map { .integer($0.count) } ?? .null,
          ]
        }),
      "problems": .array(problems.map { .string($0) }),
    ]
  }
}
