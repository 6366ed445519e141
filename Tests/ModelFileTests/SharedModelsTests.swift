import Foundation
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Loading gives the official runtime's verdicts on thousands of test models and on real models.
@Suite struct SharedModelsTests {
  private struct Case: Decodable {
    var expect: String
    var message: String?

    /// Whether the official error is about operators, which the file format does not constrain.
    var isAboutOperators: Bool { message?.contains("Registration failed") ?? false }
  }

  @Test func conformanceModelsLoadAsOfficially() throws {
    let corpus = try ConformanceCorpus()
    let names = corpus.names(of: "tflite")
    #expect(names.count > 3000)
    for name in names {
      let description = Data(try corpus.contents(of: name.dropLast(6) + "json"))
      let expected = try JSONDecoder().decode(Case.self, from: description)
      let model = ModelBytes(try corpus.contents(of: name))
      let error = loadingError { () throws(ModelFileError) in try ModelFile(model) }
      switch expected.expect {
      case "ok": #expect(error == nil)
      case "load_error" where !expected.isAboutOperators: #expect(error != nil, "\(name)")
      // The official runtime finds bad indices only when it allocates tensors.
      default: break
      }
    }
  }

  @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
  func zooModelsLoadAsOfficially() throws {
    let manifest = SharedFiles.folder.appending(path: "zoo/MANIFEST.tsv")
    let lines = try String(contentsOf: manifest, encoding: .utf8).split(separator: "\n")
    let rows = lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    let verdict = try #require(rows[0].firstIndex(of: "runs_BUILTIN_no_delegate"))
    let models = rows.filter { $0[0].hasSuffix(".tflite") }
    #expect(models.count > 50)
    for model in models {
      let path = SharedFiles.folder.appending(path: "zoo/\(model[0])").path
      let isRefused = model[verdict].hasPrefix("failed at load")
      let error = loadingError { () throws(ModelFileError) in try ModelFile(path: path) }
      #expect((error != nil) == isRefused, "\(model[0]): \(error?.description ?? "loads")")
    }
  }

  @Test func copiesReadLikeTheirOriginals() throws {
    let corpus = try ConformanceCorpus()
    for name in corpus.names(of: "tflite") {
      let bytes = ModelBytes(try corpus.contents(of: name))
      guard let original = try? ModelFile(bytes) else { continue }
      let copy = try ModelWriter(copying: original)
      #expect(try ModelWriter(copying: copy.file()) == copy, "\(name)")
    }
  }

  private func loadingError(
    _ load: () throws(ModelFileError) -> ModelFile
  ) -> ModelFileError? {
    do throws(ModelFileError) {
      _ = try load()
      return nil
    } catch {
      return error
    }
  }
}
