import { randomBytes } from 'node:crypto'
import { type AppContext, type AuditContext, inTransaction } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { hashKey, type KeyHash, matchesKey } from './key-hash.ts'
import {
  type AdminKeySetting,
  findAdminKeySetting,
  insertAdminKeySetting,
  saveAdminKeySetting,
} from './queries/admin-key.ts'
import { digestOf } from './session-key.ts'
import { createTurns } from './turns.ts'

/** Also that of a command, which runs no application. */
type KeyContext = AuditContext & Pick<AppContext, 'db'>

/** 256 random bits in letters that no font confuses, in groups that can be read out. */
export function makeKey(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const chars = Array.from({ length: 56 }, () => letters[randomIndex(letters.length)])
  return (chars.join('').match(/.{8}/g) ?? []).join('-')
}

function randomIndex(below: number): number {
  for (;;) {
    const byte = randomBytes(1)[0]!
    if (byte < 256 - (256 % below)) return byte % below
  }
}

/** Whether what is stored holds against the environment: its key is the stored one, or it has none. Slow, as each look at a key is. */
export async function isAdminKeyCurrent(ctx: Pick<AppContext, 'db' | 'config'>): Promise<boolean> {
  const { adminKey } = ctx.config
  if (adminKey === undefined) return true
  const stored = await findAdminKeySetting(ctx)
  return stored !== undefined && (!stored.enabled || (await matchesKey(adminKey, stored.hash)))
}

/**
 * Makes sure that there is an admin key: that of the environment, which replaces a stored one that is not current, else
 * the stored one, else a new one. Answers the key if it was made now, for it is not stored and cannot be shown again.
 */
export async function ensureAdminKey(
  ctx: KeyContext & Pick<AppContext, 'config'>,
  isCurrent = isAdminKeyCurrent(ctx),
): Promise<string | undefined> {
  const stored = await findAdminKeySetting(ctx)
  if (stored && !stored.enabled) return undefined
  const { adminKey } = ctx.config
  if (adminKey !== undefined) {
    if (!stored || !(await isCurrent)) await replaceKey(ctx, adminKey, 'environment')
    return undefined
  }
  if (stored) return undefined
  const key = makeKey()
  const setting = await settingOf(ctx, key, 'made')
  // Of several first starts at the same time one wins, and only its key is told.
  return inTransaction(ctx, async (tx) => {
    if (!(await insertAdminKeySetting(tx, setting))) return undefined
    await auditKey(tx, setting)
    return key
  })
}

/** Makes a new admin key, which holds from now on in every process. Sessions go on. */
export async function makeAdminKey(ctx: KeyContext): Promise<string> {
  const key = makeKey()
  await replaceKey(ctx, key, 'made')
  return key
}

async function replaceKey(ctx: KeyContext, key: string, source: AdminKeySetting['source']): Promise<void> {
  const setting = await settingOf(ctx, key, source)
  await inTransaction(ctx, async (tx) => {
    await saveAdminKeySetting(tx, setting)
    await auditKey(tx, setting)
  })
}

async function settingOf(ctx: KeyContext, key: string, source: AdminKeySetting['source']): Promise<AdminKeySetting> {
  return { hash: await hashKey(key), source, enabled: true, set_at: new Date(ctx.clock()).toISOString() }
}

function auditKey(tx: Parameters<typeof recordAudit>[0], { source }: AdminKeySetting): Promise<void> {
  return recordAudit(tx, { action: 'admin_key.replace', resource: 'admin_key', id: 'admin_key', after: { source } })
}

/** Compares keys with the admin key; a key once found right is compared fast. */
export function createAdminKeyCheck(ctx: AppContext) {
  const { inTurn } = ctx.instance(createTurns)
  let right: { digest: string; of: string } | undefined

  /** Whether the key was found right before and the admin key is still the same. */
  const isKnown = (key: string, stored: KeyHash | null): boolean =>
    stored !== null && right?.of === stored.hash && right.digest === digestOf(key)

  async function findHash(): Promise<KeyHash | null> {
    const setting = await findAdminKeySetting(ctx)
    return setting?.enabled ? setting.hash : null
  }

  return {
    async isKnownRight(key: string): Promise<boolean> {
      return right?.digest === digestOf(key) && isKnown(key, await findHash())
    },
    async isRight(key: string): Promise<boolean> {
      const stored = await findHash()
      const isRight = await inTurn(() => matchesKey(key, stored))
      if (isRight && stored) right = { digest: digestOf(key), of: stored.hash }
      return isRight
    },
  }
}
