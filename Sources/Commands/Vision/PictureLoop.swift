import OcellusImaging
import OcellusVision

/// Does something with each of several pictures: what is wrong with one of them is reported, and the
/// others are done all the same.
struct PictureLoop {
  let paths: [String]
  let format: ReportFormat

  func run<Report: PictureReport>(
    in context: CommandContext, _ body: (String) throws -> Report
  ) -> ExitCode {
    var reports = PictureReports<Report>(format: format)
    let progress = ProgressLine(in: context)
    var exitCode = ExitCode.success
    reports.begin(in: context)
    for (index, path) in paths.enumerated() {
      progress.show("\(index) of \(paths.count) pictures")
      let result = Result { try body(path) }
      progress.clear()
      switch result {
      case .success(let report):
        for warning in report.warnings { context.complain("\(path): warning: \(warning)") }
        reports.add(report, in: context)
      case .failure(let error):
        context.complain(Self.message(of: error, about: path))
        exitCode = .failure
      }
    }
    reports.end(in: context)
    return exitCode
  }

  /// The message, which names the picture unless the error does so itself.
  private static func message(of error: any Error, about path: String) -> String {
    let text = "\(error)"
    return text.hasPrefix(path) ? text : "\(path): \(text)"
  }
}

extension PixelSize {
  /// Twice a network's size: pictures decoded to it lose nothing that the network could see, and
  /// large photographs take a fraction of the time.
  var doubled: PixelSize { PixelSize(width: 2 * width, height: 2 * height) }
}
