import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { AppContext } from '../../context.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { findSealKeys, insertSealKey } from './queries/anchors.ts'

/** Where the chain had come to at an instant. */
export type HeadAt = { at: string; seq: number; hash: string }
/** The same as it stands outside: which file it belongs to, which key sealed it, and the seal. */
export type SealedHead = HeadAt & { anchor: string; key: string; seal: string }

export type Ring = {
  /** null: no key can be opened. */
  seal: ((head: HeadAt, anchor: string) => SealedHead) | null
  /** `foreign`: sealed with a key that this database does not know or that cannot be opened any more. */
  check(head: SealedHead): 'good' | 'edited' | 'foreign'
}

type Db = Pick<AppContext, 'db'>

/** Nothing else that is sealed with the same SECRETS_KEY can be passed off as a key. */
const keyText = (id: string, key: string): string => `audit-seal ${id} ${key}`

function openKey(box: Pick<SecretBox, 'open'>, { id, sealed }: { id: string; sealed: string }): Buffer | null {
  const text = box.open(sealed)
  const [key] = text?.split(' ').slice(-1) ?? []
  return key !== undefined && text === keyText(id, key) ? Buffer.from(key, 'base64url') : null
}

const sealOf = (key: Buffer, { at, anchor, seq, hash, key: id }: Omit<SealedHead, 'seal'>): string =>
  createHmac('sha256', key)
    .update(JSON.stringify(['agency-console audit head', at, anchor, seq, hash, id]))
    .digest('hex')

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The keys of this database, as far as this SECRETS_KEY opens them; the newest seals. */
export async function readRing(ctx: Db, box: Pick<SecretBox, 'open'>): Promise<Ring> {
  const keys = new Map<string, Buffer>()
  for (const row of await findSealKeys(ctx)) {
    const key = openKey(box, row)
    if (key) keys.set(row.id, key)
  }
  const [newest] = keys
  return {
    seal:
      newest === undefined
        ? null
        : (head, anchor) => {
            const [id, key] = newest
            const body = { ...head, anchor, key: id }
            return { ...body, seal: sealOf(key, body) }
          },
    check(head) {
      const key = keys.get(head.key)
      if (!key) return 'foreign'
      return isSame(sealOf(key, head), head.seal) ? 'good' : 'edited'
    },
  }
}

/** Heads are sealed with a new key from here on. */
export async function beginSealEpoch(ctx: Db, box: SecretBox, at: Date): Promise<void> {
  const id = randomUUID()
  const sealed = box.seal(keyText(id, randomBytes(32).toString('base64url')))
  await insertSealKey(ctx, { id, sealed, created_at: at })
}

export async function openRing(ctx: Db, box: SecretBox, now: Date): Promise<Ring> {
  const ring = await readRing(ctx, box)
  if (ring.seal) return ring
  await beginSealEpoch(ctx, box, now)
  return readRing(ctx, box)
}
