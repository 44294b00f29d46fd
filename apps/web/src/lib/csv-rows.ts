const quote = 0x22
const newline = 0x0a

/** Counts the rows of a CSV file as its bytes arrive, the header left out; line breaks inside quotes are no rows. */
export function csvRowCounter(): (bytes: Uint8Array) => number {
  let quoted = false
  let lines = 0
  return (bytes) => {
    for (const byte of bytes) {
      if (byte === quote) quoted = !quoted
      else if (byte === newline && !quoted) lines += 1
    }
    return Math.max(0, lines - 1)
  }
}
