import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppContext } from '../../context.ts'

type Place = Pick<AppContext, 'config'>

const ending = '.backup'

const folderOf = ({ config }: Place): string => join(config.dataDir, 'backups')

export const filePath = (ctx: Place, id: string): string => join(folderOf(ctx), `${id}${ending}`)
/** Written, and not read back yet. */
export const unprovenPath = (ctx: Place, id: string): string => join(folderOf(ctx), `${id}.unproven`)
/** Of each try its own: a process that was killed may still write for a moment. */
export const partPath = (ctx: Place, id: string, tries: number): string => join(folderOf(ctx), `${id}.${tries}.part`)

export async function ensureFolder(ctx: Place): Promise<void> {
  await mkdir(folderOf(ctx), { recursive: true, mode: 0o700 })
}

/** Renames, and keeps the new name also when the power fails. */
export async function moveFile(ctx: Place, from: string, to: string): Promise<void> {
  await rename(from, to)
  const folder = await open(folderOf(ctx))
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

async function namesOfFiles(ctx: Place): Promise<string[]> {
  return readdir(folderOf(ctx)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

/** Of what was not finished; the backup itself stays. */
export async function removeParts(ctx: Place, id: string): Promise<void> {
  const parts = (await namesOfFiles(ctx)).filter((name) => name.startsWith(`${id}.`) && !name.endsWith(ending))
  await Promise.all(parts.map((name) => rm(join(folderOf(ctx), name), { force: true })))
}

export async function removeFiles(ctx: Place, id: string): Promise<void> {
  await rm(filePath(ctx, id), { force: true })
  await removeParts(ctx, id)
}

/** The backups that have a file here, whole or not. */
export async function idsOfFiles(ctx: Place): Promise<string[]> {
  return [...new Set((await namesOfFiles(ctx)).flatMap((name) => name.split('.')[0] ?? []))]
}

const forgottenMs = 86_400_000

/** Begun, and not written to for a day; a whole backup that nobody knows of stays, because somebody may have put it there. */
export async function isForgotten(ctx: Place, id: string): Promise<boolean> {
  const names = (await namesOfFiles(ctx)).filter((name) => name.startsWith(`${id}.`))
  if (names.some((name) => name.endsWith(ending))) return false
  const times = await Promise.all(
    names.map((name) =>
      stat(join(folderOf(ctx), name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  return times.every((time) => Date.now() - time > forgottenMs)
}
