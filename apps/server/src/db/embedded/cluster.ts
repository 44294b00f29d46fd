import { createHmac, randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseStartError } from '../errors.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { diskFull, freeMegabytes } from './failures.ts'
import { runProgram } from './programs.ts'

export const user = 'agency'
export const database = 'agency'

const secretFile = 'console.secret'
/** A new database takes 47 MB; a running one wants room for two more segments of its journal. */
const neededMegabytes = { create: 96, start: 32 }

/** Makes the database if there is none, and refuses one that these programs cannot read. */
export async function ensureCluster(
  pgData: string,
  binaries: Binaries,
  account: Account | undefined,
  { durable, signal }: { durable: boolean; signal?: AbortSignal | undefined },
): Promise<void> {
  const folder = dirname(pgData)
  await removeUnfinished(pgData)
  const found = await findVersion(pgData)
  const major = binaries.version.split('.')[0]
  if (found !== undefined && found !== major)
    throw new DatabaseStartError(
      `${pgData} was made by PostgreSQL ${found} and this console brings PostgreSQL ${major}; start the console that made it, or choose another DATA_DIR`,
    )
  if (freeMegabytes(folder) < neededMegabytes[found === undefined ? 'create' : 'start']) throw diskFull(folder)
  if (found === undefined) await createCluster(pgData, binaries, account, { durable, signal })
}

/** Lies with the data that it opens, so that neither is ever found without the other. */
export async function readPassword(pgData: string): Promise<string> {
  const secret = await readFile(join(pgData, secretFile), 'utf8')
  return derivePassword(secret.trim(), user)
}

/** Of the bootstrap superuser, whom nobody but the supervisor of the cluster acts as. */
export async function readSuperPassword(pgData: string): Promise<string> {
  const secret = await readFile(join(pgData, secretFile), 'utf8')
  return derivePassword(secret.trim(), 'postgres')
}

/** Leaves a file that is already so alone. */
export async function writeAs(account: Account | undefined, path: string, content: string): Promise<void> {
  if ((await readIfThere(path)) === content) return
  const partial = `${path}.new`
  await writeFile(partial, content, { mode: 0o600 })
  if (account) await chown(partial, account.uid, account.gid)
  await rename(partial, path)
}

async function findVersion(pgData: string): Promise<string | undefined> {
  return (await readIfThere(join(pgData, 'PG_VERSION')))?.trim()
}

const retried = { recursive: true, force: true, maxRetries: 3, retryDelay: 50 } as const

/** What a killed start left. Its programs may still be writing there, so what cannot be removed now is left to the next start. */
async function removeUnfinished(pgData: string): Promise<void> {
  const folder = dirname(pgData)
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${basename(pgData)}.new`))
  await Promise.all(names.map((name) => rm(join(folder, name), retried).catch(() => {})))
}

/**
 * Everything happens beside the final place and is moved there whole: no half-made database is ever found. The place is a new
 * one each time, because the programs of a start that was killed may outlive it.
 */
async function createCluster(
  pgData: string,
  binaries: Binaries,
  account: Account | undefined,
  { durable, signal }: { durable: boolean; signal?: AbortSignal | undefined },
): Promise<void> {
  const folder = `${pgData}.new-${randomBytes(4).toString('hex')}`
  const secret = randomBytes(32).toString('hex')
  try {
    await mkdir(folder, { mode: 0o700 })
    if (account) await chown(folder, account.uid, account.gid)
    await runProgram({ path: binaries.initdb, args: initdbArguments(durable) }, folder, account, { signal })
    const input = provisioning(secret)
    await runProgram({ path: binaries.postgres, args: singleUserArguments }, folder, account, { input, signal })
    await writeAs(account, join(folder, secretFile), `${secret}\n`)
    await writeAs(account, join(folder, 'pg_hba.conf'), accessRules)
    await rename(folder, pgData)
  } catch (error) {
    await rm(folder, retried).catch(() => {})
    throw error
  }
}

const initdbArguments = (durable: boolean) => (folder: string) => [
  ...['-D', folder, '--username=postgres', '--auth=reject', '--data-checksums', '--no-instructions'],
  ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
  ...(durable ? [] : ['--no-sync']),
]

const singleUserArguments = (folder: string) => [
  ...['--single', '-D', folder, '-c', 'exit_on_error=on', '-c', 'scram_iterations=1', 'postgres'],
]

const derivePassword = (secret: string, role: string) => createHmac('sha256', secret).update(role).digest('hex')

/** The console's own role may make databases and roles and is no superuser, as on any hosted PostgreSQL. */
const provisioning = (secret: string) =>
  [
    `ALTER ROLE postgres PASSWORD '${derivePassword(secret, 'postgres')}'`,
    `CREATE ROLE ${user} LOGIN CREATEDB CREATEROLE PASSWORD '${derivePassword(secret, user)}'`,
    `GRANT pg_monitor, pg_signal_backend, pg_checkpoint TO ${user}`,
    `CREATE DATABASE ${database} OWNER ${user}`,
    '',
  ].join('\n')

const accessRules = 'local all all scram-sha-256\nhost all all 127.0.0.1/32 scram-sha-256\n'

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
