import Foundation
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct TableSchemaTests {
  /// All tables that are reachable from the root.
  private static let tables: [TableSchema] = {
    var found: [String: TableSchema] = [:]
    func visit(_ table: TableSchema) {
      guard found.updateValue(table, forKey: table.name) == nil else { return }
      for field in table.fields {
        switch field.content {
        case .value, .flexBuffer: break
        case .table(let inner), .tables(let inner): visit(inner)
        case .union(_, let members): members.values.forEach(visit)
        }
      }
    }
    visit(.model)
    return Array(found.values)
  }()

  /// The tables list every field that the decoder reads, because the fuzzer mutates only those.
  @Test func everyFieldThatIsReadIsInATable() throws {
    let source = try String(
      contentsOfFile: PackageFiles.path("Sources/ModelFile/Schema/SchemaFields.swift"),
      encoding: .utf8)
    let definition = try String(
      contentsOfFile: PackageFiles.path("Sources/ModelFile/Schema/TableSchema+Model.swift"),
      encoding: .utf8)
    var count = 0
    var group = ""
    for line in source.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.first == "enum", words.count > 1 { group = String(words[1]) }
      guard words.starts(with: ["static", "let"]), group.hasSuffix("Field"), words.count > 2 else {
        continue
      }
      #expect(definition.contains("\(group).\(words[2])"), "\(group).\(words[2])")
      count += 1
    }
    #expect(count > 60)
  }

  @Test func positionsAndNamesAreThereOnce() {
    #expect(Self.tables.count > 100)
    for table in Self.tables {
      #expect(Set(table.fields.map(\.position)).count == table.fields.count, "\(table.name)")
      #expect(Set(table.fields.map(\.name)).count == table.fields.count, "\(table.name)")
    }
  }

  /// A model that is read and written by the table schema decodes to the same records.
  @Test func aModelReadByTablesIsTheModel() throws {
    for bytes in HostileModelsTests.models {
      let fields = try TableSchema.fields(ofModel: bytes)
      let copy = FlatBufferBuilder.file(identifier: ModelFile.identifier, root: fields)
      let (file, again) = (try ModelFile(bytes: bytes), try ModelFile(bytes: copy))
      #expect(try ModelWriter(copying: file) == ModelWriter(copying: again))
    }
  }

  @Test func whatIsNoModelIsRefused() {
    #expect(throws: ModelFileError.self) { try TableSchema.fields(ofModel: [1, 2, 3]) }
  }
}
