import type { AppContext, TransactionContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db' | 'clock'>

const openLinks = ({ db, clock }: Db, tokenHash: Buffer) =>
  db
    .selectFrom('user_links')
    .innerJoin('users', 'users.id', 'user_links.user_id')
    .select([
      'user_links.id',
      'user_links.user_id',
      'user_links.expires_at',
      'users.email',
      'users.name',
      'users.is_active',
    ])
    .select((row) => row.ref('user_links.kind').$castTo<'invitation' | 'password_reset'>().as('kind'))
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', new Date(clock()))
    .where('users.is_active', '=', true)

export const findOpenLink = (ctx: Db, tokenHash: Buffer) => openLinks(ctx, tokenHash).executeTakeFirst()

/** Uses a link up. Answers nothing when somebody else did a moment ago. */
export async function takeLink(tx: TransactionContext, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('user_links')
    .set({ used_at: new Date(tx.clock()) })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Whatever waits to be used by somebody is void. */
export async function revokeLinks(tx: TransactionContext, userId: string): Promise<number> {
  const { numUpdatedRows } = await tx.db
    .updateTable('user_links')
    .set({ revoked_at: new Date(tx.clock()) })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function insertLink(
  tx: TransactionContext,
  link: { id: string; kind: 'invitation' | 'password_reset'; userId: string; tokenHash: Buffer; expiresAt: Date },
): Promise<void> {
  await tx.db
    .insertInto('user_links')
    .values({
      id: link.id,
      kind: link.kind,
      user_id: link.userId,
      token_hash: link.tokenHash,
      created_at: new Date(tx.clock()),
      created_by: tx.actor.id,
      expires_at: link.expiresAt,
    })
    .execute()
}
