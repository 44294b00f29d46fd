import { setImmediate as nextTurn } from 'node:timers/promises'

const masked = '[masked]'
/** Shorter values would be found in words that have nothing to do with them. */
const shortestSecret = 6
/** Values that are no secret, and that every log is full of. */
const ordinary = new Set(['production', 'development', 'preview', 'staging', 'localhost', 'disabled', 'enabled'])

/**
 * What looks like a secret, whoever it belongs to. Lines are written by whoever builds: no pattern may look at a character
 * more than a few times, so a repetition without an end begins only where the one before it ended.
 */
const shapes: readonly [RegExp, string][] = [
  [/\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/g, masked],
  [/\b(?:sk|rk|pk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}/g, masked],
  [/\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g, masked],
  [/\b(?:npm_|glpat-|sk-)[A-Za-z0-9_-]{20,}/g, masked],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, masked],
  [/\b(bearer|basic)\s+[\w.~+/=-]{12,}/gi, `$1 ${masked}`],
  [/(:\/\/[^\s:/@]*):[^\s@/]+@/g, `$1:${masked}@`],
  [/((?:secret|password|passwd|token|api_?key|private_?key)["']?\s*[=:]\s*["']?)[^\s"',;]{6,}/gi, `$1${masked}`],
]

/** Three parts of a signed token in a row (RFC 7519), of which the first may follow a hyphen. */
function maskSignedTokens(word: string): string {
  if (!word.includes('eyJ')) return word
  const parts = word.split('.')
  for (let index = 0; index + 2 < parts.length; index++) {
    const [header = '', claims = '', signature = ''] = parts.slice(index, index + 3)
    const start = header.startsWith('eyJ') ? 0 : header.indexOf('-eyJ') + 1
    if (!header.startsWith('eyJ', start) || header.length - start < 11 || claims.length < 8 || signature === '')
      continue
    parts.splice(index, 3, header.slice(0, start) + masked)
  }
  return parts.join('.')
}

const longestLine = 8000

/** Control characters that a terminal obeys stay as text; only NUL cannot be kept. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed()
const cut = (text: string): string => (text.length > longestLine ? `${text.slice(0, longestLine)} …` : text)

export type Mask = (text: string) => string

/** Takes the values of an environment, and what has the shape of a secret, out of lines of a log. */
export function createMask(values: Iterable<string>): Mask {
  const parts = [...values].flatMap((value) => [value, ...value.split('\n')]).map((value) => value.trim())
  const secrets = [...new Set(parts)]
    .filter((value) => value.length >= shortestSecret && !ordinary.has(value.toLowerCase()))
    .sort((one, other) => other.length - one.length)
  return (text) => {
    let line = storable(text)
    // Before it is cut: half a secret would not be found.
    for (const secret of secrets) line = line.replaceAll(secret, masked)
    line = cut(line).replace(/[\w.-]+/g, maskSignedTokens)
    for (const [shape, replacement] of shapes) line = line.replace(shape, replacement)
    return line
  }
}

const charactersPerTurn = 100_000

/** The lines with their texts masked; other work goes on meanwhile. */
export async function maskLines<Line extends { text: string }>(mask: Mask, lines: readonly Line[]): Promise<Line[]> {
  const done: Line[] = []
  let characters = 0
  for (const line of lines) {
    characters += line.text.length
    if (characters > charactersPerTurn) {
      characters = line.text.length
      await nextTurn()
    }
    done.push({ ...line, text: mask(line.text) })
  }
  return done
}
