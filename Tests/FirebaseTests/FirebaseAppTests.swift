import Firebase
import Foundation
import OcellusTestSupport
import Testing

@Suite struct FirebaseAppTests {
  @Test func appsHaveNames() async throws {
    FirebaseApp.configure()
    let app = try #require(FirebaseApp.app())
    #expect(app.name == "__FIRAPP_DEFAULT")
    FirebaseApp.configure()
    #expect(FirebaseApp.app() === app)
    #expect(Vision.vision(app: app) === Vision.vision())
    #expect(ModelManager.modelManager(app: app) === ModelManager.modelManager())

    FirebaseApp.configure(name: "second", options: FirebaseOptions())
    let second = try #require(FirebaseApp.app(name: "second"))
    #expect(FirebaseApp.allApps?["second"] === second)
    #expect(await withCheckedContinuation { done in second.delete { done.resume(returning: $0) } })
    #expect(FirebaseApp.app(name: "second") == nil)
  }

  @Test func optionsAreReadFromTheConsolesFile() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/GoogleService-Info.plist"
    let list = ["PROJECT_ID": "salads", "API_KEY": "key", "BUNDLE_ID": "org.example.app"]
    try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
      .write(to: URL(filePath: path))
    let options = try #require(FirebaseOptions(contentsOfFile: path))
    #expect(options.projectID == "salads")
    #expect(options.apiKey == "key")
    #expect(options.bundleID == "org.example.app")
    #expect(FirebaseOptions(contentsOfFile: folder.path) == nil)
    #expect(FirebaseOptions.defaultOptions() == nil)
  }
}
