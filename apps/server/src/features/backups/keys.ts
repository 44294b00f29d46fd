import type { AppContext } from '../../context.ts'
import { fingerprintOfKey, makeArchiveKey } from '../../db/archive/sealed-file.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { findKeys, insertKey } from './queries/keys.ts'

type Ctx = Pick<AppContext, 'db' | 'clock'>

const format = 'base64url'

export const keyAsText = (key: Buffer): string => key.toString(format)

/** null: it is no backup key. */
export function keyOfText(text: string): Buffer | null {
  const key = Buffer.from(text.trim(), format)
  return key.length === 32 && keyAsText(key) === text.trim() ? key : null
}

/** The key of this console's backups; the first backup makes it. One that SECRETS_KEY no longer opens is followed by a new one. */
export async function ensureKey(ctx: Ctx, box: SecretBox): Promise<Buffer> {
  for (const { sealed } of await findKeys(ctx)) {
    const text = box.open(sealed)
    if (text !== null) return Buffer.from(text, format)
  }
  const key = makeArchiveKey()
  const sealed = box.seal(keyAsText(key))
  await insertKey(ctx, { id: fingerprintOfKey(key), sealed, created_at: new Date(ctx.clock()) })
  return key
}

/** The key that opens a file, by what its head says; null: it is not here, or SECRETS_KEY no longer opens it. */
export async function findKey(ctx: Pick<AppContext, 'db'>, box: SecretBox, id: string): Promise<Buffer | null> {
  const found = (await findKeys(ctx)).find((key) => key.id === id)
  const text = found ? box.open(found.sealed) : null
  return text === null ? null : Buffer.from(text, format)
}
