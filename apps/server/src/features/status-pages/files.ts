import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'

type Place = Pick<Config, 'dataDir'>

const folderOf = ({ dataDir }: Place): string => join(dataDir, 'status')
/** No slug has an underscore, so none takes this name. */
const agencyFile = '_agency.html'
const fileOf = (slug: string | null): string => (slug === null ? agencyFile : `${slug}.html`)

const slugPattern = /^[a-z0-9-]{3,40}$/

/** Whole or not at all: a reader never sees a half of it. */
async function replaceFile(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name)
  const known = await readFile(path, 'utf8').catch(() => null)
  if (known === text) return
  const draft = join(folder, `.${name}.${randomUUID()}`)
  await writeFile(draft, text, { mode: 0o644 })
  await rename(draft, path).catch(async (error: unknown) => {
    await rm(draft, { force: true })
    throw error
  })
}

/** A draft whose writer has ended; another process may be at a younger one. */
async function isLeftOver(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > 60_000
}

/** The pages that are on, and no other: what is left of one that was switched off goes. */
export async function writeFiles(place: Place, pages: ReadonlyMap<string | null, string>): Promise<void> {
  const folder = folderOf(place)
  await mkdir(folder, { recursive: true })
  const kept = new Set([...pages.keys()].map(fileOf))
  for (const [slug, text] of pages) await replaceFile(folder, fileOf(slug), text)
  for (const name of await readdir(folder))
    if (name.startsWith('.') ? await isLeftOver(join(folder, name)) : !kept.has(name))
      await rm(join(folder, name), { force: true })
}

/** undefined: there is no such page, or it is off. */
export async function readPage(place: Place, slug: string | null): Promise<string | undefined> {
  if (slug !== null && !slugPattern.test(slug)) return undefined
  try {
    return await readFile(join(folderOf(place), fileOf(slug)), 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
