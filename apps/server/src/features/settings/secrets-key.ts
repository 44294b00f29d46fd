import { ConfigError } from '../../config.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { findFingerprint, insertFingerprint, saveFingerprint } from './queries/fingerprint.ts'

type Db = Parameters<typeof findFingerprint>[0]

/** Whether stored secrets were sealed with this key; null: nobody said yet which key it is. */
export async function isKeyOfDatabase(ctx: Db, { fingerprint }: SecretBox): Promise<boolean | null> {
  const known = await findFingerprint(ctx)
  return known === undefined ? null : known === fingerprint
}

/** What is sealed from here on is sealed with this key; in the transaction that sealed the rest with it. */
export const moveFingerprint = (ctx: Db, { fingerprint }: SecretBox, at: Date): Promise<void> =>
  saveFingerprint(ctx, fingerprint, at)

export const keyAdvice =
  'set SECRETS_KEY to the key of the consoles that use this database (without one it is in the file secrets-key of their DATA_DIR), ' +
  'or run npm run secrets-key if this is the new key, with -- --leave-unreadable if the key before is lost'

/**
 * A process with another key would make its own of what it cannot open, such as the webhook endpoint, and break those of
 * the others. The first start takes its key for the one of the database.
 */
export async function holdSecretsKey(ctx: Db, box: SecretBox, at: Date): Promise<void> {
  await insertFingerprint(ctx, box.fingerprint, at)
  if (await isKeyOfDatabase(ctx, box)) return
  throw new ConfigError(`SECRETS_KEY is not the key of this database: ${keyAdvice}`)
}
