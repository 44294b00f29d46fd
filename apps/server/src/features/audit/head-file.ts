import { appendFile, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { HeadAt, Ring, SealedHead } from './seal.ts'

const headAt = z.object({
  at: z.iso.datetime(),
  seq: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
})
const sealedHead = headAt.extend({ anchor: z.string(), key: z.string(), seal: z.string() })
/** As they were written before they were sealed: they only name their database. */
const plainHead = headAt.extend({ database: z.string(), seal: z.undefined().optional() })

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>

export type HeadFile = {
  isThere: boolean
  /** Those that this database sealed and nobody changed since, oldest first. */
  heads: SealedHead[]
  /** The first line that does not fit its seal. */
  editedLine: number | null
}

export const headFileName = 'audit-heads.log'
const maxBytes = 1024 * 1024

const pathOf = ({ dataDir }: Pick<Place, 'dataDir'>): string => join(dataDir, headFileName)

/** Which file of which machine. */
export const placeOf = ({ dataDir }: Pick<Place, 'dataDir'>): string => `${hostname()}:${dataDir}`

function parse<T>(schema: z.ZodType<T>, line: string): T | null {
  try {
    return schema.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}

async function readLines(place: Place): Promise<string[] | null> {
  try {
    return (await readFile(pathOf(place), 'utf8')).split('\n')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

/** A line that cannot be read is not a head: the machine may have died while it was written. */
export async function readHeadFile(place: Place, ring: Ring): Promise<HeadFile> {
  const lines = await readLines(place)
  const file: HeadFile = { isThere: lines !== null, heads: [], editedLine: null }
  for (const [index, line] of (lines ?? []).entries()) {
    const head = parse(sealedHead, line)
    const state = head && ring.check(head)
    if (head && state === 'good') file.heads.push(head)
    if (state === 'edited') file.editedLine ??= index + 1
  }
  return file
}

/** Without user and password. */
function databaseOf({ databaseUrl }: Place): string {
  if (databaseUrl === undefined) return 'embedded'
  const { host, pathname } = new URL(databaseUrl)
  return `${host}${pathname}`
}

/** The heads of this database from before they were sealed. */
export async function readPlainHeads(place: Place): Promise<HeadAt[]> {
  const database = databaseOf(place)
  const heads = (await readLines(place))?.map((line) => parse(plainHead, line)) ?? []
  return heads
    .filter((head) => head !== null)
    .filter((head) => head.database === database)
    .map(({ at, seq, hash }) => ({ at, seq, hash }))
}

export async function appendHeads(place: Place, heads: readonly SealedHead[]): Promise<void> {
  const path = pathOf(place)
  await mkdir(place.dataDir, { recursive: true })
  const text = heads.map((head) => `${JSON.stringify(head)}\n`).join('')
  // The database remembers what was written here, so it has to outlive a power cut like the database does.
  await appendFile(path, text, { mode: 0o600, flush: true })
  if ((await stat(path)).size > maxBytes) await dropOlder(path)
}

/** Drops the older half, but for the first and the last head of every anchor: their absence means a loss. */
async function dropOlder(path: string): Promise<void> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
  const ends = new Map<string, { first: number; last: number }>()
  for (const [index, line] of lines.entries()) {
    const anchor = parse(sealedHead, line)?.anchor
    if (anchor !== undefined) ends.set(anchor, { first: ends.get(anchor)?.first ?? index, last: index })
  }
  const kept = new Set([...ends.values()].flatMap(({ first, last }) => [first, last]))
  const half = lines.slice(Math.floor(lines.length / 2)).length
  const shorter = `${path}.${process.pid}`
  const text = lines.filter((_line, index) => kept.has(index) || index >= lines.length - half)
  await writeFile(shorter, `${text.join('\n')}\n`, { mode: 0o600, flush: true })
  await rename(shorter, path)
}
