import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppContext } from '../../context.ts'

type Place = Pick<AppContext, 'config'>

const folderOf = ({ config }: Place): string => join(config.dataDir, 'exports')

/** An id names the file, whatever it holds. */
export const filePath = (ctx: Place, id: string): string => join(folderOf(ctx), id)
export const partPath = (ctx: Place, id: string): string => `${filePath(ctx, id)}.part`

export async function ensureFolder(ctx: Place): Promise<void> {
  await mkdir(folderOf(ctx), { recursive: true, mode: 0o700 })
}

/** From here on the file is whole, also after the power fails. */
export async function publish(ctx: Place, id: string): Promise<void> {
  await rename(partPath(ctx, id), filePath(ctx, id))
  const folder = await open(folderOf(ctx))
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export async function removeFiles(ctx: Place, id: string): Promise<void> {
  await Promise.all([rm(filePath(ctx, id), { force: true }), rm(partPath(ctx, id), { force: true })])
}

/** The exports that have a file here, whole or not. */
export async function idsOfFiles(ctx: Place): Promise<string[]> {
  const names = await readdir(folderOf(ctx)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return [...new Set(names.map((name) => name.replace(/\.part$/, '')))]
}
