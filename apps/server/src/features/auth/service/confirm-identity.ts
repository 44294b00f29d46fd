import { inTransaction, type RequestContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { createAdminKeyCheck } from '../admin-key.ts'
import { beginTry, fail, succeed } from '../tries.ts'
import { createTurns } from '../turns.ts'
import { getSelf, provePassword } from './passwords.ts'
import { withCode } from './second-factor-code.ts'

const parameter = 'identity_proof'

/**
 * Asks once more who it is, before something that a borrowed session must not do: a code of the second factor, the password of
 * whoever has none, or the admin key of whoever came in with it. Wrong ones count as sign-ins do.
 */
export async function confirmIdentity(ctx: RequestContext, proof: string): Promise<void> {
  const { type } = ctx.actor
  if (type === 'admin_key') return ctx.instance(createTurns).withPlace(() => proveAdminKey(ctx, proof.trim()))
  if (type !== 'user') throw new AppError('forbidden', 'This needs a person or the admin key, not an API key')
  const self = await getSelf(ctx)
  if (self.totp_enabled_at) return withCode(ctx, self, { code: proof.trim(), parameter }, async () => {})
  return provePassword(ctx, self, proof, parameter)
}

async function proveAdminKey(ctx: RequestContext, key: string): Promise<void> {
  const tried = await beginTry(ctx, { method: 'login' })
  if (!(await ctx.instance(createAdminKeyCheck).isRight(key))) {
    await fail(ctx, tried, 'wrong admin key')
    throw new AppError('invalid_request', 'This is not the admin key', { parameter })
  }
  await inTransaction(ctx, (tx) => succeed(tx, tried))
}
