import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseStartError } from '../errors.ts'

export interface Account {
  uid: number
  gid: number
}

/**
 * PostgreSQL refuses to run as root, so root hands it to another account: the owner of the data if that is not root, else
 * nobody, which every system has. Undefined: run as ourselves.
 */
export function chooseAccount(pgData: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(pgData, { throwIfNoEntry: false })
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : findNobody()
}

function findNobody(): Account {
  const fields = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'nobody')
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])]
  if (!(uid > 0) || !(gid > 0))
    throw new DatabaseStartError(
      'PostgreSQL cannot run as root and there is no account nobody; start the console as an ordinary user',
    )
  return { uid, gid }
}

/** Whether the account may pass through every folder on the way to and including this one. */
export function canReach(folder: string, account: Account | undefined): boolean {
  if (!account) return true
  for (let current = folder; ; current = dirname(current)) {
    const { uid, gid, mode } = statSync(current)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (current === dirname(current)) return true
  }
}

const ownFolder = '/proc/self/cwd'

export interface Place {
  /** The folder in the words of the process that runs there. */
  asSeenInside: string
  cwd: string
}

/**
 * How a process of the account gets into a folder below one that it cannot enter: it starts there, as a child's working
 * directory is set before root's rights are dropped, and calls it by the link that Linux keeps to that directory.
 */
export function enter(folder: string, account: Account | undefined): Place {
  if (canReach(folder, account)) return { asSeenInside: folder, cwd: folder }
  if (statSync(ownFolder, { throwIfNoEntry: false })) return { asSeenInside: ownFolder, cwd: folder }
  throw new DatabaseStartError(
    `DATA_DIR ${dirname(folder)} lies below a folder that the account of the database cannot enter; choose another DATA_DIR`,
  )
}
