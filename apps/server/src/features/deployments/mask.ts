const masked = '[masked]'
/** Shorter values would be found in words that have nothing to do with them. */
const shortestSecret = 6
/** Values that are no secret, and that every log is full of. */
const ordinary = new Set(['production', 'development', 'preview', 'staging', 'localhost', 'disabled', 'enabled'])

/** What looks like a secret, whoever it belongs to. */
const shapes: readonly [RegExp, string][] = [
  [/\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/g, masked],
  [/\b(?:sk|rk|pk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}/g, masked],
  [/\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g, masked],
  [/\b(?:npm_|glpat-|sk-)[A-Za-z0-9_-]{20,}/g, masked],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, masked],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/g, masked],
  [/\b(bearer|basic)\s+[\w.~+/=-]{12,}/gi, `$1 ${masked}`],
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):[^\s@/]+@/gi, `$1:${masked}@`],
  [/((?:secret|password|passwd|token|api_?key|private_?key)["']?\s*[=:]\s*["']?)[^\s"',;]{6,}/gi, `$1${masked}`],
]

const longestLine = 8000

/** Control characters that a terminal obeys stay as text; only NUL cannot be kept. */
const storable = (text: string): string => {
  const plain = text.replaceAll('\0', '\ufffd').toWellFormed()
  return plain.length > longestLine ? `${plain.slice(0, longestLine)} …` : plain
}

/** Takes the values of an environment, and what has the shape of a secret, out of lines of a log. */
export function createMask(values: Iterable<string>): (text: string) => string {
  const parts = [...values].flatMap((value) => [value, ...value.split('\n')]).map((value) => value.trim())
  const secrets = [...new Set(parts)]
    .filter((value) => value.length >= shortestSecret && !ordinary.has(value.toLowerCase()))
    .sort((one, other) => other.length - one.length)
  return (text) => {
    let line = storable(text)
    for (const secret of secrets) line = line.replaceAll(secret, masked)
    for (const [shape, replacement] of shapes) line = line.replace(shape, replacement)
    return line
  }
}
