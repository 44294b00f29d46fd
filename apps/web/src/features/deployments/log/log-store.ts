import type { LogLine } from '@agency/contract/types'

/** Lines are kept, and drawn, in groups of as many. */
export const chunkSize = 10
/** How many are asked for at once. */
const pageSize = 500
// While the scroll bar is pulled through a long log, only where it rests is read.
const restMs = 60

export type LogPage = { lines: readonly LogLine[]; total: number; complete: boolean }
export type LogReader = (after: number, limit: number, signal: AbortSignal) => Promise<LogPage>

export type LogState = {
  /** Lines so far; undefined until the first answer. */
  total: number | undefined
  /** None will be added any more. */
  complete: boolean
  error: Error | null
}
type Chunk = readonly (LogLine | undefined)[]

export type LogStore = {
  subscribe: (listener: () => void) => () => void
  state: () => LogState
  /** The lines of a group; another array once one of them came. */
  chunk: (index: number) => Chunk | undefined
  /** These lines are about to be seen, from the first to the last. */
  want: (first: number, last: number) => void
  /** News of the log: a line may also take the place of another text. */
  take: (page: LogPage) => void
  /** Reads again what could not be read. */
  retry: () => void
  stop: () => void
}

/** A log of any length, of which only what is looked at is read. Lines are numbered from 1 without gaps. */
export function createLogStore(read: LogReader): LogStore {
  const chunks = new Map<number, Chunk>()
  const reading = new Map<number, AbortController>()
  const listeners = new Set<() => void>()
  let state: LogState = { total: undefined, complete: false, error: null }
  let wanted: [number, number] = [1, 1]
  let timer: ReturnType<typeof setTimeout> | undefined

  const set = (next: Partial<LogState>) => {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }
  const take = ({ lines, total, complete }: LogPage) => {
    putLines(chunks, lines)
    set({ total: Math.max(total, state.total ?? 0), complete: complete || state.complete, error: null })
  }
  const readPage = async (after: number) => {
    if (reading.has(after)) return
    const controller = new AbortController()
    reading.set(after, controller)
    try {
      const page = await read(after, pageSize, controller.signal)
      // News came after the page was asked for, so the page may be older.
      take({ ...page, lines: page.lines.filter(({ number }) => lineOf(chunks, number) === undefined) })
    } catch (error) {
      if (!controller.signal.aborted) set({ error: error instanceof Error ? error : new Error(String(error)) })
    } finally {
      if (reading.get(after) === controller) reading.delete(after)
    }
  }
  const readWanted = () => {
    const [first, last] = wanted
    const pages = new Set<number>()
    for (let index = chunkOf(first); index <= chunkOf(last); index++) {
      if (!isWhole(chunks.get(index), index, state.total ?? 0)) pages.add(pageOf(index))
    }
    for (const [after, controller] of reading) {
      if (pages.has(after)) continue
      controller.abort()
      reading.delete(after)
    }
    for (const after of pages) void readPage(after)
  }
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    state: () => state,
    chunk: (index) => chunks.get(index),
    want: (first, last) => {
      wanted = [first, last]
      clearTimeout(timer)
      // What has not been asked for at all yet does not wait.
      if (state.total === undefined) void readPage(0)
      else timer = setTimeout(readWanted, restMs)
    },
    take,
    retry: () => {
      set({ error: null })
      if (state.total === undefined) void readPage(0)
      else readWanted()
    },
    stop: () => {
      clearTimeout(timer)
      for (const controller of reading.values()) controller.abort()
    },
  }
}

/** The group that a line is in. */
export const chunkOf = (line: number): number => Math.floor((line - 1) / chunkSize)
const pageOf = (chunk: number): number => Math.floor((chunk * chunkSize) / pageSize) * pageSize

/** How many lines a group has, of so many in all. */
export const linesIn = (chunk: number, total: number): number =>
  Math.max(0, Math.min(chunkSize, total - chunk * chunkSize))

function isWhole(chunk: Chunk | undefined, index: number, total: number): boolean {
  const count = linesIn(index, total)
  if (!chunk || chunk.length < count) return false
  for (let place = 0; place < count; place++) if (chunk[place] === undefined) return false
  return true
}

const lineOf = (chunks: ReadonlyMap<number, Chunk>, number: number): LogLine | undefined =>
  chunks.get(chunkOf(number))?.[(number - 1) % chunkSize]

function putLines(chunks: Map<number, Chunk>, lines: readonly LogLine[]): void {
  const changed = new Map<number, (LogLine | undefined)[]>()
  for (const line of lines) {
    const index = chunkOf(line.number)
    const copy = changed.get(index) ?? [...(chunks.get(index) ?? [])]
    copy[line.number - 1 - index * chunkSize] = line
    changed.set(index, copy)
  }
  for (const [index, chunk] of changed) chunks.set(index, chunk)
}
