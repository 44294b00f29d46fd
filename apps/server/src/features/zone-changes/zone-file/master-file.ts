/** One entry of a zone file, as it stands: its parts are not judged here. */
export type Entry = {
  line: number
  /** Without what follows a semicolon. */
  text: string
  comment: string
  /** Nothing stands before the first part: it belongs to the name before it. */
  hasNoName: boolean
  parts: Part[]
  /** Why its end is not known. */
  problem?: string
}
export type Part = { text: string; isQuoted: boolean }

type Reading = { entry: Entry; depth: number; part: Part | null; isInQuotes: boolean; isInComment: boolean }

const newEntry = (line: number): Entry => ({ line, text: '', comment: '', hasNoName: false, parts: [] })

/** `\.` stands for the character, `\046` for the one of that number. */
function escapeAt(text: string, at: number): { character: string; length: number } {
  const digits = text.slice(at + 1, at + 4)
  if (/^\d{3}$/.test(digits) && Number(digits) < 256)
    return { character: String.fromCharCode(Number(digits)), length: 4 }
  return { character: text[at + 1] ?? '', length: 2 }
}

function endPart(reading: Reading): void {
  if (reading.part) reading.entry.parts.push(reading.part)
  reading.part = null
}

function addTo(reading: Reading, character: string): void {
  reading.part ??= { text: '', isQuoted: false }
  reading.part.text += character
}

/** What a character means outside of quotes and comments. */
function readPlain(reading: Reading, character: string): void {
  if (character === ';') {
    endPart(reading)
    reading.isInComment = true
  } else if (character === '"') {
    endPart(reading)
    reading.part = { text: '', isQuoted: true }
    reading.isInQuotes = true
  } else if (character === '(' || character === ')') {
    endPart(reading)
    reading.depth = Math.max(0, reading.depth + (character === '(' ? 1 : -1))
  } else if (character === ' ' || character === '\t') {
    endPart(reading)
  } else {
    addTo(reading, character)
  }
}

function readLine(reading: Reading, line: string): void {
  const { entry } = reading
  if (entry.text === '') entry.hasNoName = /^[ \t]/.test(line)
  for (let at = 0; at < line.length; ) {
    const character = line[at] ?? ''
    if (reading.isInComment) {
      entry.comment += character
      at += 1
      continue
    }
    const { character: meant, length } = character === '\\' ? escapeAt(line, at) : { character, length: 1 }
    if (character === '\\') addTo(reading, meant)
    else if (!reading.isInQuotes) readPlain(reading, character)
    else if (character === '"') {
      endPart(reading)
      reading.isInQuotes = false
    } else addTo(reading, character)
    if (!reading.isInComment) entry.text += line.slice(at, at + length)
    at += length
  }
  reading.isInComment = false
  if (!reading.isInQuotes) return
  endPart(reading)
  reading.isInQuotes = false
  entry.problem ??= 'A quote does not end'
}

/**
 * The entries of a zone file (https://www.rfc-editor.org/rfc/rfc1035#section-5): parentheses join lines, a semicolon
 * begins a comment.
 */
export function entriesOf(text: string): Entry[] {
  const entries: Entry[] = []
  const start = (line: number): Reading => ({
    ...{ entry: newEntry(line), depth: 0, part: null, isInQuotes: false, isInComment: false },
  })
  let reading = start(1)
  const lines = text.split(/\r?\n/)
  for (const [index, line] of lines.entries()) {
    readLine(reading, line)
    endPart(reading)
    if (reading.depth > 0 && index + 1 < lines.length) {
      reading.entry.text += ' '
      continue
    }
    if (reading.depth > 0) reading.entry.problem ??= 'A parenthesis does not end'
    if (reading.entry.parts.length > 0) entries.push(reading.entry)
    reading = start(index + 2)
  }
  return entries
}
