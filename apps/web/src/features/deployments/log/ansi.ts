/** A stretch of a line that looks the same. Colours are names of the theme's own, never what the log asks for. */
export type Span = {
  text: string
  color?: Color
  background?: Color
  bold?: boolean
  dim?: boolean
  italic?: boolean
  underline?: boolean
}
export type Color = (typeof colors)[number]

const colors = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

type Look = Omit<Span, 'text'>

// Sequences of terminals: CSI, then OSC and its like up to their end, then two-character ones.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one
const escapes = /\u001b\[([0-?]*)[ -/]*([@-~])|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -~]?|\u009b/g
const controls = /(?!\t)\p{Cc}/gu

/** A line as a terminal would colour it. Everything else that steers a terminal is taken out. */
export function spansOf(line: string): Span[] {
  if (line.search(controls) < 0) return line === '' ? [] : [{ text: line }]
  const text = lastOverwrite(line)
  const spans: Span[] = []
  let look: Look = {}
  let from = 0
  const add = (piece: string) => {
    const clean = piece.replace(controls, '')
    if (clean !== '') spans.push({ text: clean, ...look })
  }
  for (const match of text.matchAll(escapes)) {
    add(text.slice(from, match.index))
    from = match.index + match[0].length
    if (match[2] === 'm') look = lookAfter(look, match[1] ?? '')
  }
  add(text.slice(from))
  return spans
}

/** A progress bar writes over its own line: what it wrote last is what is read. */
function lastOverwrite(line: string): string {
  return line.split('\r').findLast((part) => part !== '') ?? ''
}

function lookAfter(before: Look, parameters: string): Look {
  const codes = parameters === '' ? [0] : parameters.split(/[;:]/).map(Number)
  let look = before
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0
    if (code === 38 || code === 48) {
      const named = codes[index + 1] === 5 ? codes[index + 2] : undefined
      index += codes[index + 1] === 5 ? 2 : 4
      look = withColor(look, code === 38 ? 'color' : 'background', named)
    } else look = withCode(look, code)
  }
  return look
}

function withCode(look: Look, code: number): Look {
  if (code === 0) return {}
  if (code === 1) return { ...look, bold: true }
  if (code === 2) return { ...look, dim: true }
  if (code === 3) return { ...look, italic: true }
  if (code === 4) return { ...look, underline: true }
  if (code === 22) return { ...look, bold: false, dim: false }
  if (code === 23) return { ...look, italic: false }
  if (code === 24) return { ...look, underline: false }
  if (code === 39) return { ...look, color: undefined } as Look
  if (code === 49) return { ...look, background: undefined } as Look
  if (code >= 30 && code <= 37) return withColor(look, 'color', code - 30)
  if (code >= 90 && code <= 97) return withColor(look, 'color', code - 82)
  if (code >= 40 && code <= 47) return withColor(look, 'background', code - 40)
  if (code >= 100 && code <= 107) return withColor(look, 'background', code - 92)
  return look
}

/** The sixteen colours of terminals; the bright black one is grey. Of the many others none is taken over. */
function withColor(look: Look, place: 'color' | 'background', index: number | undefined): Look {
  const { [place]: _, ...rest } = look
  if (index === undefined || index > 15) return rest
  const color = colors[index % 8]
  if (index === 8 && place === 'color') return { ...rest, dim: true }
  return color ? { ...rest, [place]: color } : rest
}
