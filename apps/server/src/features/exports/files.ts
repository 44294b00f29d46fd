import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppContext } from '../../context.ts'

type Place = Pick<AppContext, 'config'>

const folderOf = ({ config }: Place): string => join(config.dataDir, 'exports')

/** An id names the file, whatever it holds. */
export const filePath = (ctx: Place, id: string): string => join(folderOf(ctx), id)
/** Of each try its own: the writer of a console that was killed may still write for a moment. */
export const partPath = (ctx: Place, id: string, tries: number): string => `${filePath(ctx, id)}.${tries}.part`

export async function ensureFolder(ctx: Place): Promise<void> {
  await mkdir(folderOf(ctx), { recursive: true, mode: 0o700 })
}

/** From here on the file is whole, also after the power fails. */
export async function publish(ctx: Place, id: string, tries: number): Promise<void> {
  await rename(partPath(ctx, id, tries), filePath(ctx, id))
  await removeParts(ctx, id)
  const folder = await open(folderOf(ctx))
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Of a file that is small enough to be held; null where it is on another server. */
export const readExport = (ctx: Place, id: string): Promise<Buffer | null> =>
  readFile(filePath(ctx, id)).catch(() => null)

async function removeParts(ctx: Place, id: string): Promise<void> {
  const parts = (await namesOfFiles(ctx)).filter((name) => name.startsWith(`${id}.`))
  await Promise.all(parts.map((name) => rm(join(folderOf(ctx), name), { force: true })))
}

export async function removeFiles(ctx: Place, id: string): Promise<void> {
  await rm(filePath(ctx, id), { force: true })
  await removeParts(ctx, id)
}

async function namesOfFiles(ctx: Place): Promise<string[]> {
  return readdir(folderOf(ctx)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

/** The exports that have a file here, whole or not. */
export async function idsOfFiles(ctx: Place): Promise<string[]> {
  return [...new Set((await namesOfFiles(ctx)).flatMap((name) => name.split('.')[0] ?? []))]
}
