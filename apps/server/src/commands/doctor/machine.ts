import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../config.ts'
import { freeMegabytes } from '../../db/embedded/failures.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const project = fileURLToPath(new URL('../../../../../', import.meta.url))
const wantedNode = 24
/** Less than the first is too little for a new database; with less than the second it will be soon. */
const freeMb = { needed: 96, comfortable: 1024 }

export function checkNode(version = process.versions.node): Finding {
  return Number.parseInt(version, 10) >= wantedNode
    ? ok('Node.js', version)
    : fail('Node.js', `${version} is too old for the server`, 'run it by npm, which brings its own: npm run doctor')
}

export function checkDataDir({ dataDir }: Pick<Config, 'dataDir'>): Finding[] {
  const nearest = findExisting(dataDir)
  try {
    accessSync(`${nearest}/.`, constants.W_OK | constants.X_OK)
  } catch {
    const wrong = nearest === dataDir ? 'cannot be written' : `cannot be made: ${nearest} cannot be written`
    return [fail('Data folder', `${dataDir} ${wrong}`, 'set DATA_DIR to a folder that this account may write')]
  }
  const where = nearest === dataDir ? realpathSync(dataDir) : `${dataDir} (made by the first start)`
  return [ok('Data folder', where), checkDisk(nearest)]
}

function checkDisk(folder: string): Finding {
  const free = freeMegabytes(folder)
  const says = `${free >= 10_240 ? `${Math.floor(free / 1024)} GB` : `${free} MB`} free`
  const todo = `free some space on the disk of ${folder}, or move DATA_DIR`
  if (free < freeMb.needed) return fail('Disk', says, todo)
  return free < freeMb.comfortable ? warn('Disk', says, todo) : ok('Disk', says)
}

function findExisting(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : findExisting(dirname(folder))
}

export function checkBuilds(): Finding {
  const { status, stderr } = spawnSync(process.execPath, [join(project, 'scripts/prepare.mjs'), 'status'], {
    encoding: 'utf8',
  })
  if (status === 0) return ok('Builds', 'newer than their sources')
  return warn('Builds', stderr.trim() || 'could not be looked at', 'npm start builds them')
}

export function checkChromium(
  names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
): Finding {
  for (const name of names) {
    const { status, stdout } = spawnSync(name, ['--version'], { encoding: 'utf8', timeout: 10_000 })
    if (status === 0) return ok('Chromium', stdout.trim())
  }
  return warn('Chromium', 'none on the path (only npm test needs one)', "npm test uses or installs Playwright's own")
}
