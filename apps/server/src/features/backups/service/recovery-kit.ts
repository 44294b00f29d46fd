import { readFile } from 'node:fs/promises'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { fingerprintOfKey, makeArchiveKey } from '../../../db/archive/sealed-file.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { createSecretBox, secretsKeyFile } from '../../../platform/secrets.ts'
import { confirmIdentity } from '../../auth/index.ts'
import { ensureKey, keyAsText } from '../keys.ts'
import { findKeys, insertKey, markPrinted } from '../queries/keys.ts'

type Order = { renew: boolean; identity_proof: string }

/** Told once for each key: what was printed is out of the console's hands. */
export async function printKit(ctx: RequestContext, { renew, identity_proof }: Order) {
  await confirmIdentity(ctx, identity_proof)
  const { secretsKey, dataDir } = ctx.config
  // Makes the file where there is none yet.
  const box = await ctx.instance(createSecretBox)
  const secrets_key = secretsKey ?? (await readFile(secretsKeyFile(dataDir), 'utf8')).trim()
  const key = await inTransaction(ctx, async (tx) => {
    if (renew) {
      const fresh = makeArchiveKey()
      const row = { id: fingerprintOfKey(fresh), sealed: box.seal(keyAsText(fresh)), created_at: new Date(tx.clock()) }
      await insertKey(tx, row)
    }
    const current = await ensureKey(tx, box)
    const id = fingerprintOfKey(current)
    const printed = (await findKeys(tx)).find((known) => known.id === id)?.printed_at
    if (printed)
      throw new AppError(
        'conflict',
        'The recovery kit was already printed. Create a new backup key to print a new kit.',
      )
    await markPrinted(tx, id, new Date(tx.clock()))
    await recordAudit(tx, {
      action: 'recovery_kit.print',
      resource: 'backup_plan',
      id: null,
      after: { kit: id, renewed: renew },
    })
    return current
  })
  return {
    ...{ secrets_key, backup_key: keyAsText(key), key_id: fingerprintOfKey(key) },
    command: 'npm run restore -- path/to/the-file.backup',
  }
}
