// ARMv8.6 with products of matrices of bytes.

let instructionSetName = "i8mm"
