import type { RequestContext } from '../../context.ts'
import { createPasswordCheck, refuseCommonPassword } from '../auth/index.ts'

const lifeMs = 7 * 24 * 60 * 60_000

export type TemporaryPassword = { hash: string; expiresAt: Date }

/** Hashes a password that must be changed at the first sign-in. Outside of any transaction, for it takes its time. */
export async function prepareTemporary(
  ctx: RequestContext,
  password: string,
  person: { email: string; name: string },
): Promise<TemporaryPassword> {
  await refuseCommonPassword(password, person, 'temporary_password')
  return {
    hash: await ctx.instance(createPasswordCheck).hash(password),
    expiresAt: new Date(ctx.clock() + lifeMs),
  }
}
