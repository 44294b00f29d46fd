import { z } from 'zod'
import type { ProviderErrorKind } from '../provider-failure.ts'
import type { CloudflareAllowance } from './allowance.ts'
import { checked } from './answers.ts'
import { CloudflareError } from './errors.ts'
import type { Transport } from './transport.ts'

const graphQlAnswer = z.object({
  data: z.unknown(),
  errors: z
    .array(z.object({ message: z.string() }))
    .nullish()
    .catch(null),
})

/** Under status 200 only the words tell what went wrong. */
const words: readonly [RegExp, ProviderErrorKind][] = [
  [/rate limit|budget depleted|quota|limit reached|too many requests/i, 'rate_limit'],
  [/authenticat|invalid (api )?token/i, 'auth'],
  [/internal (server )?error|timeout|timed out|unavailable/i, 'unavailable'],
]
/** How long Cloudflare's own count of analytics queries is not asked again. */
const blockS = 60

export async function askAnalytics(
  transport: Transport,
  allowance: CloudflareAllowance,
  query: string,
  variables: Record<string, unknown>,
): Promise<unknown> {
  const { data, errors } = await checked('the analytics', graphQlAnswer, transport.graphql({ query, variables }))
  if (errors && errors.length > 0) {
    const message = errors.map((error) => error.message).join('; ')
    const kind = words.find(([pattern]) => pattern.test(message))?.[1] ?? 'invalid'
    if (kind === 'rate_limit') await allowance.block('graphql', blockS)
    const details = { status: 200, ...(kind === 'rate_limit' && { retryAfter: blockS }) }
    throw new CloudflareError(kind, `Cloudflare API error: ${message}`, details)
  }
  if (data === undefined || data === null)
    throw new CloudflareError('bad_answer', 'Cloudflare API error: the analytics came without data and without errors')
  return data
}
