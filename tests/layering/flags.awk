# From "file:line:code" to those lines where a string or a comment names a flag: a double hyphen and
# a lower-case letter. Strings and comments that began on an earlier line are not seen.
{
  code = $0
  sub(/^[^:]*:[^:]*:/, "", code)
  while (code != "") {
    skip = 1
    if (match(code, /^"([^"\\]|\\.)*"?/) || match(code, /^\/\/.*/) || match(code, /^\/\*([^*]|\*[^\/])*/)) {
      if (substr(code, 1, RLENGTH) ~ /[ "'(`\/*]--[a-z]/) {
        print $0 ": a flag of the program"
        next
      }
      skip = RLENGTH
    } else if (match(code, /^'([^'\\]|\\.)'/)) {
      skip = RLENGTH
    }
    code = substr(code, skip + 1)
  }
}
