import PackagePlugin

/// Embeds the package's models in its library `OcellusEmbeddedModels` whenever one changes.
@main struct EmbedModels: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = context.package.directoryURL.appending(path: "Models")
    let models = [
      ("detector", folder.appending(path: "scenes-detector.tflite")),
      ("labeler", folder.appending(path: "scenes-labeler/model.tflite")),
    ]
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedText.swift")
    return [
      .buildCommand(
        displayName: "Embedding the models",
        executable: try context.tool(named: "embed-models").url,
        arguments: [output.path] + models.map { "\($0)=\($1.path)" },
        inputFiles: models.map(\.1), outputFiles: [output])
    ]
  }
}
