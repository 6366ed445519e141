import Foundation
import OcellusPlatform

/// Debian's nginx on this machine, with TLS by an authority that only tests trust.
///
/// It serves the files of `folder`, the answers of `WebScripts` below `/scripted/`, and the files
/// again below `/private/`, which requires the token. Certificates are for `localhost`.
package final class WebServer: Sendable {
  /// The reason for which tests are skipped without the server.
  package static let missing =
    "no nginx, openssl or curl on this machine: apt-get install nginx-light openssl curl"
  package static let token = "the-token-of-tests"

  package static var isAvailable: Bool { shared != nil }

  /// The one server of a test run.
  package static let shared: WebServer? = {
    let programs = ["openssl", "curl"].allSatisfy(Executable.isThere)
    guard programs, let nginx = Executable.path(of: "nginx", elsewhere: ["/usr/sbin"]) else {
      return nil
    }
    return try? WebServer(nginx: nginx)
  }()

  /// The folder with the served files.
  package let folder: String
  /// The certificate of the authority.
  package let authorities: String
  package let port: UInt16
  /// The port without TLS, for transports that cannot trust the tests' authority.
  private let plainPort: UInt16
  /// The port with an expired certificate.
  private let expiredPort: UInt16
  private let log: String
  private let directory: TemporaryDirectory
  private let process = Process()
  /// A pipe whose end stops the server, even if the tests crash.
  private let life = Pipe()

  /// Returns the URL of a path.
  package func url(_ path: String, isPlain: Bool = false) -> String {
    isPlain ? "http://localhost:\(plainPort)\(path)" : "https://localhost:\(port)\(path)"
  }

  /// Returns the URL of a path on the port with the expired certificate.
  package func expiredURL(_ path: String) -> String { "https://localhost:\(expiredPort)\(path)" }

  /// Returns the lines of the server's log with a target: the requests and their statuses.
  ///
  /// The server logs a request after its answer, perhaps after the client received it. The log is
  /// in order, so this function makes another request and waits for its line.
  package func requests(of target: String) throws -> [String] {
    let last = "/\(UUID().uuidString)"
    _ = try Executable.output(of: "curl", ["-s", url(last, isPlain: true)], with: "")
    for _ in 0..<200 {
      if try !loggedRequests(of: last).isEmpty { return try loggedRequests(of: target) }
      usleep(50_000)
    }
    throw FileError(.system(ETIMEDOUT), path: log)
  }

  private func loggedRequests(of target: String) throws -> [String] {
    try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
      .filter { $0.split(separator: " ").first.map(String.init) == target }
  }

  private init(nginx: String) throws {
    directory = try TemporaryDirectory()
    let root = directory.path
    (folder, authorities, log) = ("\(root)/files", "\(root)/ca.pem", "\(root)/access.log")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    (port, plainPort) = (try Self.freePort(), try Self.freePort())
    expiredPort = try Self.freePort()
    try Certificates(folder: root).make()
    try configuration(scripted: WebScripts.shared.port).write(
      toFile: "\(root)/nginx.conf", atomically: true, encoding: .utf8)
    process.executableURL = URL(filePath: "/bin/sh")
    // The shell uses SIGKILL, because a process may inherit blocked signals from the starting
    // thread.
    process.arguments = [
      "-c",
      #""$0" -p "$1" -c "$1/nginx.conf" -e "$1/error.log" & server=$!; read x; kill -9 $server; rm -rf "$1""#,
      nginx, root,
    ]
    process.standardInput = life
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    try waitUntilItAnswers()
  }

  private static func freePort() throws -> UInt16 {
    // The system does not assign the same port again soon.
    try ScriptedServer.unusedPort()
  }

  private func waitUntilItAnswers() throws {
    for _ in 0..<200 {
      let answer = try Executable.output(
        of: "curl",
        ["-s", "--cacert", authorities, "-o", "/dev/null", "-w", "%{http_code}", url("/")], with: ""
      )
      if answer == "403" || answer == "404" { return }
      usleep(50_000)
    }
    throw FileError(.system(ETIMEDOUT), path: "nginx")
  }

  private func configuration(scripted: UInt16) -> String {
    let server = """
      root \(folder);
      location / { }
      location = /moved.tflite { return 302 /moved/here.tflite; }
      location = /in-circles { return 302 /in-circles; }
      location = /to-a-file { return 302 file:///etc/passwd; }
      location = /to-http { return 302 http://localhost:\(scripted)/model; }
      location /slow/ { limit_rate 512k; }
      location /private/ {
        if ($http_authorization != "Bearer \(Self.token)") { return 401; }
      }
      location /scripted/ {
        proxy_pass http://127.0.0.1:\(scripted);
        proxy_buffering off;
        proxy_http_version 1.0;
      }
      """
    return """
      daemon off;
      master_process off;
      pid \(directory.path)/nginx.pid;
      events { worker_connections 256; }
      http {
        log_format short '$request_uri $status $body_bytes_sent "$http_range" "$http_authorization"';
        access_log \(log) short;
        client_body_temp_path \(directory.path)/body;
        proxy_temp_path \(directory.path)/proxy;
        fastcgi_temp_path \(directory.path)/fastcgi;
        uwsgi_temp_path \(directory.path)/uwsgi;
        scgi_temp_path \(directory.path)/scgi;
        server {
          listen 127.0.0.1:\(plainPort);
          \(server)
        }
        server {
          listen 127.0.0.1:\(port) ssl;
          ssl_certificate \(directory.path)/server.pem;
          ssl_certificate_key \(directory.path)/server.key;
          \(server)
        }
        server {
          listen 127.0.0.1:\(expiredPort) ssl;
          ssl_certificate \(directory.path)/expired.pem;
          ssl_certificate_key \(directory.path)/server.key;
          \(server)
        }
      }
      """
  }
}

/// The tests' certificates, created by openssl.
private struct Certificates {
  let folder: String

  func make() throws {
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    try openssl(
      ["req", "-x509"] + key + [
        "-days", "2", "-subj", "/CN=Tests", "-keyout", "ca.key", "-out", "ca.pem",
      ])
    try "subjectAltName=DNS:localhost,IP:127.0.0.1\n".write(
      toFile: folder + "/names", atomically: true, encoding: .utf8)
    try openssl(
      ["req", "-new"] + key + [
        "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr",
      ])
    try sign(days: 2, as: "server.pem")
    try sign(days: -1, as: "expired.pem")
  }

  private func sign(days: Int, as name: String) throws {
    try openssl([
      "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
      "-days", "\(days)", "-extfile", "names", "-out", name,
    ])
  }

  private func openssl(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw FileError(.system(EIO), path: "openssl \(arguments[0])")
    }
  }
}

/// The scripted answers of the server below `/scripted/`, by the next component of the path.
package final class WebScripts: Sendable {
  package static let shared = WebScripts()

  private let scripts = ScriptTable()
  private let server: ScriptedServer?

  fileprivate var port: UInt16 { server?.port ?? 0 }

  private init() {
    server = try? ScriptedServer { [scripts] request in scripts.answer(to: request) }
  }

  /// Sets the answers below `/scripted/NAME/`.
  package func set(
    _ name: String, _ script: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Piece]
  ) {
    scripts.set(name, script)
  }

  /// Returns the number of requests for a target.
  package func count(of target: String) -> Int { server?.count(of: target) ?? 0 }
}
