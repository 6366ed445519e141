import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusStore

/// The choice of default models in a store.
@Suite struct DefaultModelsTests {
  private let source: TemporaryDirectory
  private let store: TestStore

  init() throws {
    source = try TemporaryDirectory()
    store = try TestStore()
    try FileSystem.write([1], to: "\(source.path)/model.tflite")
  }

  private var folderStore: ModelStore { store.from(.folder(source.path)) }

  @Test func aChoiceIsKeptForItsRole() throws {
    let store = folderStore
    #expect(try store.defaultChoice(for: .detector) == nil)
    _ = try store.update("model")
    try store.setDefault(.stored(name: "model"), for: .detector)
    try store.setDefault(.packaged, for: .labeler)
    #expect(try folderStore.defaultChoice(for: .detector) == .stored(name: "model"))
    #expect(try folderStore.defaultChoice(for: .labeler) == .packaged)
    try store.setDefault(.packaged, for: .detector)
    #expect(try store.defaultChoice(for: .detector) == .packaged)
  }

  @Test func onlyAModelThatIsHereCanBeChosen() throws {
    let error = #expect(throws: StoreError.self) {
      try folderStore.setDefault(.stored(name: "model"), for: .detector)
    }
    #expect(error?.kind == .notDownloaded)
    #expect(try folderStore.defaultChoice(for: .detector) == nil)
  }

  @Test func aModelThatIsRemovedIsNoDefault() throws {
    let store = folderStore
    _ = try store.update("model")
    try store.setDefault(.stored(name: "model"), for: .detector)
    try store.setDefault(.packaged, for: .labeler)
    try store.remove("model")
    #expect(try store.defaultChoice(for: .detector) == nil)
    #expect(try store.defaultChoice(for: .labeler) == .packaged)
  }

  /// A damaged file is an error with its path and the commands that mend it, and a choice mends it.
  @Test(arguments: ["", "[]", "{", #"{"detector": 3}"#, #"{"detector": "\u0007"}"#])
  func damagedChoicesAreMended(text: String) throws {
    let path = store.folder.path + "/defaults.json"
    try FileSystem.write(Array(text.utf8), to: path)
    let error = #expect(throws: StoreError.self) { try folderStore.defaultChoice(for: .detector) }
    #expect(error?.message.contains("models default --own") == true)
    #expect(error?.message.contains(path) == true)
    try folderStore.setDefault(.packaged, for: .detector)
    #expect(try folderStore.defaultChoice(for: .detector) == .packaged)
  }
}
