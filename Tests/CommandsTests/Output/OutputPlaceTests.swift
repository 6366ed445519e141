import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// The files that commands write, and those that they refuse to overwrite.
@Suite struct OutputPlaceTests {
  private let folder: TemporaryDirectory
  private var first: String { folder.path + "/a/1.jpg" }
  private var second: String { folder.path + "/b/1.jpg" }

  init() throws {
    folder = try TemporaryDirectory()
    let picture = try FileSystem.read(CommandSamples.picture)
    for name in ["a", "b"] {
      try FileSystem.createDirectory("\(folder.path)/\(name)")
      try FileSystem.write(picture, to: "\(folder.path)/\(name)/1.jpg")
    }
  }

  private func names(in path: String) throws -> [String] { try FileSystem.entries(of: path) }

  @Test func picturesOfOneNameStayApart() throws {
    let out = folder.path + "/out"
    let run = ProgramRun("detect", first, second, "--annotate", out)
    #expect(run.code == 0, "\(run.errors)")
    #expect(try names(in: out) == ["a", "b"])
    #expect(try names(in: out + "/a") == ["1.png"])
    #expect(try names(in: out + "/b") == ["1.png"])
  }

  /// Folders and extensions are in the names of annotated pictures only where these need them.
  @Test(arguments: [
    (["a/x.jpg", "b/c/y.jpg"], ["x.png", "y.png"]),
    (["a/x.jpg", "a/x.ppm", "b/y.jpg"], ["x.jpg.png", "x.ppm.png", "y.jpg.png"]),
    (["a/d/x.jpg", "b/d/x.jpg"], ["a/d/x.png", "b/d/x.png"]),
    (["a/x.jpg", "b/x.jpg", "b/x.ppm"], ["a/x.jpg.png", "b/x.jpg.png", "b/x.ppm.png"]),
    (["a/x.y.jpg", "b/.jpg"], [".jpg.png", "x.y.png"]),
  ])
  func namesAreAsShortAsTheyMayBe(pictures: [String], annotated: [String]) throws {
    let bytes = try FileSystem.read(first)
    let paths = pictures.map { "\(folder.path)/\($0)" }
    for path in paths {
      try FileSystem.createDirectory(path.parentPath)
      try FileSystem.write(bytes, to: path)
    }
    let out = folder.path + "/out"
    #expect(ProgramRun(["label"] + paths).code == 0)
    let run = ProgramRun(["detect"] + paths + ["--annotate", out])
    #expect(run.code == 0, "\(run.errors)")
    for name in annotated { #expect(FileSystem.exists("\(out)/\(name)"), "\(name)") }
  }

  /// Folders with a dot in their names can be made, and the message says how.
  @Test func foldersMayHaveDots() throws {
    let out = folder.path + "/out_1.0"
    let refused = ProgramRun("detect", first, second, "--annotate", out)
    #expect(refused.code == 2 && refused.errors.contains("write '\(out)/' if this is one"))
    #expect(ProgramRun("detect", first, second, "--annotate", out + "/").code == 0)
    #expect(try names(in: out) == ["a", "b"])
  }

  @Test func onePictureTwiceIsRefusedWhereItIsDrawn() {
    let run = ProgramRun("detect", first, first, "--annotate", folder.path + "/out")
    #expect(run.code == 2)
    #expect(run.errors.contains("both want"))
  }

  @Test(arguments: ["image --output", "detect --annotate", "detect --dump-input"])
  func whatIsReadIsNotReplacedUnlessForced(option: String) throws {
    let words = option.split(separator: " ").map(String.init)
    let old = try FileSystem.read(first)
    let run = ProgramRun(words[0], first, words[1], folder.path + "/b/../a/1.jpg")
    #expect(run.code == 2)
    #expect(run.errors.contains("--force"))
    #expect(try FileSystem.read(first) == old)
    #expect(ProgramRun(words[0], first, words[1], first, "--force").code == 0)
    #expect(try FileSystem.read(first) != old)
  }

  @Test func tracksDoNotReplaceDetections() throws {
    let file = folder.path + "/det.txt"
    try FileSystem.write(Array("1,-1,0,0,9,9,1\n".utf8), to: file)
    #expect(ProgramRun("track", "--from", file, "--fps", "9", "--mot", file).code == 2)
  }

  @Test func namesOfFilesDoNotBecomeFolders() throws {
    let clip = CommandSamples.clip
    for arguments in [
      ["detect", first, second, "--annotate", folder.path + "/x.png"],
      ["track", clip, "--annotate", folder.path + "/x.mp4"],
      ["run", CommandSamples.labeler, "--output", folder.path + "/x.npy"],
      ["run", CommandSamples.labeler, "--output", first],
    ] {
      let run = ProgramRun(arguments)
      #expect(run.code == 2)
      #expect(run.errors.contains("name a folder"), "\(run.errors)")
    }
    #expect(try names(in: folder.path) == ["a", "b"])
  }

  @Test func tracksAndFramesAreBothWritten() throws {
    let file = folder.path + "/tracks.txt"
    let run = ProgramRun("track", CommandSamples.clip, "--jsonl", "--mot", file)
    #expect(run.code == 0)
    #expect(run.output.split(separator: "\n").count == 45)
    let alone = ProgramRun("track", CommandSamples.clip, "--mot", "-")
    #expect(try FileSystem.read(file) == Array(alone.output.utf8))
    #expect(alone.errors.contains("identities"))
  }

  @Test(arguments: [
    ["track", CommandSamples.clip, "--jsonl", "--mot", "-"],
    ["track", CommandSamples.clip, "--json", "--annotate", "-"],
    ["track", CommandSamples.clip, "--json", "--jsonl"],
    ["track", CommandSamples.clip, "--mot", "/tmp/same.y4m", "--annotate", "/tmp/same.y4m"],
    ["image", CommandSamples.picture, "--json", "-o", "-"],
    ["detect", CommandSamples.picture, "--csv", "--annotate", "-"],
    ["track", "--from", "x", "--fps", "9", "--annotate", "y.y4m"],
    ["track", CommandSamples.clip, "--jsonl", "--truth", "x"],
  ])
  func thingsThatExcludeEachOtherAreRefused(arguments: [String]) {
    let run = ProgramRun(arguments)
    #expect(run.code == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("Try 'ocellus help \(arguments[0])'."), "\(run.errors)")
  }

  @Test func picturesThatFailHaveARecord() throws {
    let text = folder.path + "/text.jpg"
    try FileSystem.write(Array("no picture".utf8), to: text)
    let json = ProgramRun("detect", text, first, "--json")
    #expect(json.code == ExitCode.partial.rawValue)
    #expect(ProgramRun("detect", text, "--json").code == ExitCode.failure.rawValue)
    let images = try JSONParser.parse(Array(json.output.utf8)).object?["images"]?.array
    #expect(images?.count == 2)
    #expect(images?[0].object?["image"]?.string == text)
    #expect(images?[0].object?["error"]?.string?.hasPrefix(text) == true)
    let lines = ProgramRun("label", first, text, "--jsonl").output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[1].contains("\"error\""))
    let rows = ProgramRun("label", text, "--csv").output.split(separator: "\n")
    #expect(rows.count == 2)
    #expect(rows[1].hasPrefix("\(text),,,,"))
  }

  @Test func foldersPatternsAndStandardInput() throws {
    let all = ProgramRun(
      "label", folder.path + "/a", folder.path + "/?/1.j*", "--csv", "--max", "1")
    #expect(all.code == 0)
    #expect(all.output.split(separator: "\n").count == 1 + 3)
    #expect(ProgramRun("label", folder.path).code == 1)
    #expect(ProgramRun("label", folder.path + "/*.png").code == 1)
    #expect(ProgramRun("label", "-", "-").code == 2)
    let streamed = try ProgramRun(
      inShell: #""$0" "$@" < \#(first)"#, ["label", "-", "--csv", "--max", "1"])
    #expect(
      streamed.output.split(separator: "\n").last?.dropFirst(1)
        == all.output.split(separator: "\n").last?.dropFirst(second.count))
  }

  @Test func namesThatAreNotUTF8PassThrough() throws {
    let picture = String(
      fileNameBytes: Array("\(folder.path)/a/".utf8) + [0xFF, 0x2E, 0x6A, 0x70, 0x67])
    try FileSystem.write(FileSystem.read(first), to: picture)
    let run = try ProgramRun(
      inShell:
        #"cd "$1" && "$0" detect "$(printf '\377.jpg')" --csv --annotate out/ > "$TMP/csv" && ls out && cat "$TMP/csv" && "$0" detect . --jsonl"#
        .replacing("cd \"$1\"", with: "cd \"$1\""), [folder.path + "/a"])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains(#""image": "./\udcff.jpg""#))
    #expect(
      try FileSystem.entries(of: folder.path + "/a/out").map(\.fileNameBytes)
        == [[0xFF] + Array(".png".utf8)])
  }
}
