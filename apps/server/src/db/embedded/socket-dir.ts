import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseStartError } from '../errors.ts'
import { type Account, canReach } from './account.ts'

// The kernel takes 107 bytes (103 on macOS) for the whole path.
export const temporaryPrefix = 'agency-'
const longestFolder = 103 - '/.s.PGSQL.5432'.length

/** A private folder for the socket: in DATA_DIR when its path is short enough, else a new one among the temporary ones. */
export async function makeSocketDir(dataDir: string, account: Account | undefined): Promise<string> {
  const own = join(dataDir, 'run')
  if (isUsable(own, account)) {
    await rm(own, { recursive: true, force: true })
    await mkdir(own, { mode: 0o700 })
    if (await takesSockets(own)) return give(own, account)
  }
  for (const parent of new Set([tmpdir(), '/tmp', '/run'])) {
    if (!isUsable(join(parent, `${temporaryPrefix}XXXXXX`), account)) continue
    const folder = await mkdtemp(join(parent, temporaryPrefix))
    if (await takesSockets(folder)) return give(folder, account)
    await removeSocketDir(folder)
  }
  throw new DatabaseStartError(
    `There is no folder for the database's socket: ${own} and ${tmpdir()} cannot hold one; set TMPDIR`,
  )
}

export async function removeSocketDir(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

function isUsable(folder: string, account: Account | undefined): boolean {
  try {
    return Buffer.byteLength(folder) <= longestFolder && canReach(dirname(folder), account)
  } catch {
    return false
  }
}

async function give(folder: string, account: Account | undefined): Promise<string> {
  await chmod(folder, 0o700)
  if (account) await chown(folder, account.uid, account.gid)
  return folder
}

/** Some shared and network folders cannot hold a socket. */
async function takesSockets(folder: string): Promise<boolean> {
  const server = createServer().listen(join(folder, 'probe'))
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
