import { type Entry, entriesOf, type Part } from './master-file.ts'

/** A record of a zone file with its names whole, or why an entry is none. */
export type FileRecord = {
  line: number
  name: string
  type: string
  /** null: the file leaves it open. */
  ttl: number | null
  data: readonly Part[]
  /** Names in its data end at this one unless they are whole. */
  origin: string
  comment: string
}
export type Read = FileRecord | { line: number; text: string; problem: string }

const unitSeconds: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** `3600`, or with units as name servers write them: `1h30m`. */
function secondsOf(text: string): number | null {
  if (!/^(?:\d{1,10}[smhdw]?)+$/i.test(text)) return null
  let seconds = 0
  for (const [, digits, unit = ''] of text.matchAll(/(\d+)([smhdw]?)/gi))
    seconds += Number(digits) * (unitSeconds[unit.toLowerCase()] ?? 1)
  return seconds
}

/** A name as it stands: `@` is the origin, one without a dot at its end stands within it. */
export function wholeIn(origin: string, given: string): string {
  const name = given.toLowerCase()
  if (name === '@') return origin
  if (name.endsWith('.')) return name.slice(0, -1)
  return origin === '' ? name : `${name}.${origin}`
}

type State = { origin: string; ttl: number | null; lastTtl: number | null; name: string }

function followDirective(state: State, { parts }: Entry): string | undefined {
  const [directive, value] = parts.map(({ text }) => text)
  switch (directive?.toUpperCase()) {
    case '$ORIGIN':
      if (value === undefined) return 'It names no origin'
      state.origin = wholeIn(state.origin, value)
      return undefined
    case '$TTL':
      state.ttl = secondsOf(value ?? '')
      return state.ttl === null ? 'It names no time' : undefined
    case '$INCLUDE':
      return 'Other files cannot be included. Import them one by one'
    default:
      return 'This instruction is unknown'
  }
}

const classes = new Set(['IN', 'CH', 'HS', 'CS'])

/** Class and time to live stand before the type, in any order, or are left out. */
function readRecord(state: State, { line, parts, comment, hasNoName }: Entry): FileRecord | string {
  const rest = [...parts]
  if (!hasNoName) state.name = wholeIn(state.origin, rest.shift()?.text ?? '')
  if (state.name === '') return 'It has no name'
  let ttl: number | null = null
  let isOther = false
  for (let next = rest[0]; next !== undefined && !next.isQuoted; next = rest[0]) {
    const isClass = classes.has(next.text.toUpperCase())
    const seconds = secondsOf(next.text)
    if (!isClass && seconds === null) break
    if (isClass) isOther = next.text.toUpperCase() !== 'IN'
    else ttl = seconds
    rest.shift()
  }
  const type = rest.shift()
  if (!type || type.isQuoted || rest.length === 0) return 'This is no DNS record'
  if (isOther) return 'Only records of the class IN can be added'
  state.lastTtl = ttl ?? state.lastTtl
  return {
    ...{ line, comment: comment.trim(), name: state.name, type: type.text.toUpperCase(), data: rest },
    ...{ ttl: ttl ?? state.ttl ?? state.lastTtl, origin: state.origin },
  }
}

/** The records of a zone file, in its order. Names are within `zone` until the file says otherwise. */
export function readRecords(text: string, zone: string): Read[] {
  const state: State = { origin: zone, ttl: null, lastTtl: null, name: '' }
  const found: Read[] = []
  for (const entry of entriesOf(text)) {
    const first = entry.parts[0]
    const isDirective = first !== undefined && !first.isQuoted && first.text.startsWith('$')
    const read = entry.problem ?? (isDirective ? followDirective(state, entry) : readRecord(state, entry))
    if (typeof read === 'string') found.push({ line: entry.line, text: entry.text.trim(), problem: read })
    else if (read) found.push(read)
  }
  return found
}
