/// A font of 5×7 dots, for labels that are readable at any size and need no font file.
enum DotFont {
  /// The width of a character, in dots.
  static let width = 5
  /// The height of a character, in dots.
  static let height = 7
  /// The distance between the starts of adjacent characters, in dots.
  static let advance = 6

  /// Returns the rows of a character from top to bottom, with the leftmost dot in bit 4.
  static func rows(of character: Character) -> [UInt8] {
    guard let ascii = character.asciiValue, let rows = glyphs[ascii] else { return missing }
    return rows
  }

  /// An empty frame, for characters without a glyph.
  private static let missing = digits("VHHHHHV")

  private static let glyphs: [UInt8: [UInt8]] = {
    var glyphs: [UInt8: [UInt8]] = [:]
    for line in table.split(separator: "\n") {
      for entry in line.split(separator: " ") {
        guard let ascii = entry.first?.asciiValue else { continue }
        glyphs[ascii] = digits(entry.dropFirst())
      }
    }
    glyphs[UInt8(ascii: " ")] = Array(repeating: 0, count: height)
    return glyphs
  }()

  private static func digits(_ text: some StringProtocol) -> [UInt8] {
    text.map { UInt8($0.hexDigitValue ?? Int($0.asciiValue ?? 0) - 55) }
  }

  /// Each character is followed by its seven rows; a base-32 digit has the five dots of a row.
  private static let table = """
    !4444004 "AAA0000 #AAVAVAA $4FKE5U4 %OP248J3 &CIK8LID '4480000 (2488842 )8422248 *04LEL40
    +044V440 ,0000C48 -000V000 .00000CC /01248G0
    0EHJLPHE 14C4444E 2EH1248V 3V2421HE 426AIV22 5VGU11HE 668GUHHE 7V124888 8EHHEHHE 9EHHF12C
    :0CC0CC0 ;0CC0C48 <248G842 =00V0V00 >8421248 ?EH12404 @EH1DLLE
    AEHHVHHH BUHHUHHU CEHGGGHE DUHHHHHU EVGGUGGV FVGGUGGG GEHGNHHF HHHHVHHH IE44444E J72222IC
    KHIKOKIH LGGGGGGV MHRLLHHH NHHPLJHH OEHHHHHE PUHHUGGG QEHHHLID RUHHUKIH SFGGE11U TV444444
    UHHHHHHE VHHHHHA4 WHHHLLLA XHHA4AHH YHHA4444 ZV1248GV
    [E88888E \\0G84210 ]E22222E ^4AH0000 _000000V `8420000
    a00E1FHF bGGMPHHU c00EGGHE d11DJHHF e00EHVGE f698S888 g0FHHF1E hGGMPHHH i40C444E j20622IC
    kGGIKOKI lC44444E m00QLLHH n00MPHHH o00EHHHE p00UHUGG q00DJF11 r00MPGGG s00EGE1U t88S8896
    u00HHHJD v00HHHA4 w00HHLLA x00HA4AH y00HHF1E z00V248V {2448442 |4444444 }8442448 ~008L200
    """
}
