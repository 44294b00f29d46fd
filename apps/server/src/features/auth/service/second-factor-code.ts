import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { type Person, useRecoveryCode, useTotpStep } from '../queries/people.ts'
import { isTotpCode, recoveryCodeHash, stepOfCode } from '../totp.ts'
import { beginTry, fail, succeed } from '../tries.ts'

export const wrongCode = (parameter = 'code') =>
  new AppError('invalid_request', 'This code is not valid. Wait for the next code and try again.', { parameter })

export const tryOfCode = (self: Person) =>
  ({ method: 'second_factor', account: { name: `second factor ${self.id}`, userId: self.id } }) as const

type Used = 'app' | 'recovery_code'

/** Takes a code of the app or, once, a recovery code; what is done with it happens in the transaction that uses it up. */
export async function withCode<T>(
  ctx: RequestContext,
  self: Person,
  { code, parameter }: { code: string; parameter?: string },
  work: (tx: TransactionContext, used: Used) => Promise<T>,
): Promise<T> {
  const tried = await beginTry(ctx, tryOfCode(self))
  const done = await inTransaction(ctx, async (tx) => {
    const used = await takeCode(tx, self, code)
    if (!used) return null
    await succeed(tx, tried)
    return { result: await work(tx, used) }
  })
  if (done) return done.result
  await fail(ctx, tried, 'wrong code')
  throw wrongCode(parameter)
}

async function takeCode(tx: TransactionContext, self: Person, code: string): Promise<Used | null> {
  if (!isTotpCode(code)) return (await useRecoveryCode(tx, self.id, recoveryCodeHash(code))) ? 'recovery_code' : null
  const secret = await openSecret(tx, self.totp_secret)
  const step = secret === null ? null : stepOfCode(secret, code, tx.clock())
  return step !== null && (await useTotpStep(tx, self.id, step)) ? 'app' : null
}

export async function openSecret(ctx: Pick<RequestContext, 'instance'>, sealed: string | null): Promise<string | null> {
  const box = await ctx.instance(createSecretBox)
  return sealed === null ? null : box.open(sealed)
}
