import { appendFile, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../config.ts'

/** Where the chain had come to at an instant, kept where whoever writes to the database does not write. */
const seenHead = z.object({
  at: z.iso.datetime(),
  /** Which database: the same folder may have served another one before. */
  database: z.string(),
  seq: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
})
export type SeenHead = z.output<typeof seenHead>

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>

const headFile = 'audit-heads.log'
const maxBytes = 1024 * 1024

/** Without user and password. */
function databaseOf({ databaseUrl }: Place): string {
  if (databaseUrl === undefined) return 'embedded'
  const { host, pathname } = new URL(databaseUrl)
  return `${host}${pathname}`
}

function parse(line: string): SeenHead | null {
  try {
    return seenHead.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}

/** All heads of this database that are kept, oldest first; a line that cannot be read is not a head. */
export async function readHeads(place: Place): Promise<SeenHead[]> {
  const text = await readFile(join(place.dataDir, headFile), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const database = databaseOf(place)
  return text
    .split('\n')
    .map(parse)
    .filter((head) => head?.database === database) as SeenHead[]
}

export async function appendHead(place: Place, head: Omit<SeenHead, 'database'>): Promise<void> {
  const path = join(place.dataDir, headFile)
  await appendFile(path, `${JSON.stringify({ ...head, database: databaseOf(place) })}\n`, { mode: 0o600 })
  if ((await stat(path)).size > maxBytes) await dropOlderHalf(path)
}

async function dropOlderHalf(path: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  const middle = text.indexOf('\n', text.length / 2) + 1
  const shorter = `${path}.${process.pid}`
  await writeFile(shorter, text.slice(middle), { mode: 0o600 })
  await rename(shorter, path)
}
