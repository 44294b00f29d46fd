import { ProviderError } from '../../../integrations/stripe/errors.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Failure } from '../../../platform/runs/durable-run.ts'

/** It will not happen by itself. */
export class Refused extends Error {
  override name = 'Refused'
}

/** The provider has come to an end with the call, and it did not happen. */
const wasAnswered = (error: unknown): boolean => {
  const cause = error instanceof Refused ? error.cause : error
  return cause instanceof ProviderError && cause.providerStatus !== undefined && cause.kind !== 'conflict'
}

/** A refusal of the provider that no later try changes. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ProviderError && (error.kind === 'invalid' || error.kind === 'not_found')

function reasonOf(error: unknown): string {
  const isTold = error instanceof Refused || (error instanceof AppError && error.code !== 'internal')
  return isTold ? error.message.replace(/\.$/, '') : 'Unknown error'
}

export const judge = (error: unknown): Failure => ({
  reason: reasonOf(error),
  isFinal: error instanceof Refused,
  endsKey: wasAnswered(error),
})
