import OcellusServer
import Testing

@Suite struct MultipartTests {
  private static func request(_ body: String, boundary: String = "XX") -> HTTPRequest {
    HTTPRequest(
      "POST", "/", headers: [("content-type", "multipart/form-data; boundary=\"\(boundary)\"")],
      body: Array(body.utf8))
  }

  @Test func fieldsAndFiles() throws {
    let form = try MultipartForm(
      Self.request(
        "preamble\r\n--XX\r\nContent-Disposition: form-data; name=\"min_confidence\"\r\n\r\n0.7\r\n"
          + "--XX\r\ncontent-disposition: form-data; name=image; filename=\"a;\\\"b.jpg\"\r\n"
          + "Content-Type: image/jpeg\r\n\r\n\r\n--X\r\nbytes\r\n--XX--\r\nepilogue"))
    #expect(form.text("min_confidence") == "0.7")
    #expect(form.file("image") == Array("\r\n--X\r\nbytes".utf8))
    #expect(form.parts[1].fileName == "a;\"b.jpg")
    #expect(form.text("image") == nil)
  }

  @Test func anotherNameOfTheFileIsUnderstood() throws {
    let form = try MultipartForm(
      Self.request(
        "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\nabc\r\n--XX--"
      ))
    #expect(form.file("image") == Array("abc".utf8))
  }

  @Test func emptyFormHasNoParts() throws {
    #expect(try MultipartForm(Self.request("--XX--\r\n")).parts.isEmpty)
  }

  @Test func fieldsOfUrlEncodedForms() throws {
    let form = try MultipartForm(
      HTTPRequest(
        "POST", "/", headers: [("content-type", "application/x-www-form-urlencoded")],
        body: Array("api_key=a%2Bb+c&min_confidence=0.5&%zz".utf8)))
    #expect(form.text("api_key") == "a+b c")
    #expect(form.text("min_confidence") == "0.5")
    #expect(form.text("%zz") == "")
  }

  @Test(arguments: [
    ("", 400), ("no boundary", 400), ("--XX", 400), ("--XX\r\n", 400),
    ("--XX\r\nContent-Disposition: form-data; name=a\r\n\r\nvalue", 400),
    ("--XX\r\nno header\r\n--XX--", 400),
    ("--XX\r\nContent-Type: text/plain\r\n\r\nvalue\r\n--XX--", 400),
    ("--XXY\r\nContent-Disposition: form-data; name=a\r\n\r\nvalue\r\n--XX--", 400),
  ])
  func brokenFormsAreRefused(body: String, status: Int) {
    #expect(throws: HTTPError.self) { try MultipartForm(Self.request(body)) }
  }

  @Test func otherTypesAreRefused() {
    let request = HTTPRequest("POST", "/", headers: [("content-type", "image/jpeg")])
    let error = #expect(throws: HTTPError.self) { try MultipartForm(request) }
    #expect(error?.status == 415)
  }

  @Test func everyPrefixOfAFormIsReadOrRefused() throws {
    let whole = Array(
      "--XX\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a\"\r\n\r\nabc\r\n--XX--"
        .utf8)
    for count in 0..<whole.count {
      var request = Self.request("")
      request.body = Array(whole.prefix(count))
      _ = try? MultipartForm(request)
    }
  }
}
