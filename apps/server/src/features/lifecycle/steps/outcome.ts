import type { TransactionContext } from '../../../context.ts'
import { ProviderError } from '../../../integrations/stripe/errors.ts'
import { AppError } from '../../../platform/errors.ts'

/** How a step ended. What it leaves behind is recorded together with that. */
export type Outcome = {
  state: 'done' | 'skipped'
  note?: string
  requestId?: string | null
  record?: (tx: TransactionContext) => Promise<void>
}

/** It will not happen by itself. */
export class Refused extends Error {
  override name = 'Refused'
}

/** The provider has come to an end with the call, and it did not happen. */
export const wasAnswered = (error: unknown): boolean => {
  const cause = error instanceof Refused ? error.cause : error
  return cause instanceof ProviderError && cause.providerStatus !== undefined && cause.kind !== 'conflict'
}

/** A refusal of the provider that no later try changes. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ProviderError && (error.kind === 'invalid' || error.kind === 'not_found')

export function reasonOf(error: unknown): string {
  const isTold = error instanceof Refused || (error instanceof AppError && error.code !== 'internal')
  return isTold ? error.message.replace(/\.$/, '') : 'It ended in a way that is not known'
}
