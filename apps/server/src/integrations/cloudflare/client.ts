import { createHash } from 'node:crypto'
import type { BaseCloudflare } from 'cloudflare/client'
import { AppError } from '../../platform/errors.ts'
import type { CloudflareAllowance } from './allowance.ts'
import { askAnalytics } from './analytics.ts'
import { checkedPage } from './answers.ts'
import { blocked, overBudget } from './errors.ts'
import type { CloudflareGateway, CloudflareLane } from './gateway.ts'
import { pagesCalls } from './pages.ts'
import { recordCalls } from './records.ts'
import { type Account, baseOf, createTransport, type Guard } from './transport.ts'
import { accountList } from './zone-answers.ts'
import { zoneSettingCalls } from './zone-settings.ts'
import { zoneCalls } from './zones.ts'

export type CloudflareOptions = Account & {
  accountId?: string | undefined
  /** Of this connection alone: another token has another. */
  allowance: CloudflareAllowance
}

/** What of the allowance each kind of work may use up. */
const shareOf: Record<CloudflareLane, number> = { request: 1, bulk: 2 / 3 }

/** One way, so that it can be kept beside what was read with it. */
export function connectionName(account: Account): string {
  return createHash('sha256')
    .update(`${account.apiToken}\n${baseOf(account)}`)
    .digest('hex')
    .slice(0, 16)
}

const minBlockS = 1
const defaultBlockS = 60

/** Cloudflare's own limit on purges of a zone is no reason to ask nothing else. */
const isOwnLimit = (path: string): boolean => path.endsWith('/purge_cache')

function createGuard(allowance: CloudflareAllowance, share: number, isRetired: () => boolean): Guard {
  return {
    async before(scope) {
      if (isRetired()) throw new AppError('not_connected', 'The connection to Cloudflare was changed meanwhile')
      const permit = await allowance.take(scope, share)
      if (!permit.isAllowed) throw permit.isBlocked ? blocked(permit.retryAfter) : overBudget(permit.retryAfter)
    },
    async after(scope, { status, retryAfter }, path) {
      if (status === 429 && !isOwnLimit(path))
        await allowance.block(scope, Math.max(retryAfter ?? defaultBlockS, minBlockS))
    },
  }
}

/** The account to work in is the configured one; a token that opens one alone needs none to be named. */
function createAccountId(options: CloudflareOptions, list: () => PromiseLike<unknown>): () => Promise<string> {
  let known = options.accountId
  return async () => {
    if (known !== undefined) return known
    const { rows } = await checkedPage('the list of accounts', accountList, list())
    const [only, another] = rows
    if (only === undefined || another !== undefined)
      throw new AppError(
        'not_connected',
        'CLOUDFLARE_ACCOUNT_ID must be set: the token does not open exactly one account',
      )
    known = only.id
    return known
  }
}

export function createCloudflareGateway(options: CloudflareOptions): { gateway: CloudflareGateway; retire(): void } {
  let isRetired = false
  const connection = connectionName(options)
  const lanes: Partial<Record<CloudflareLane, CloudflareGateway>> = {}

  function lane(share: number): CloudflareGateway {
    const transport = createTransport(
      options,
      createGuard(options.allowance, share, () => isRetired),
    )
    // The resource classes ask no more of their client than what the transport has.
    const client = transport as unknown as BaseCloudflare
    const getAccountId = createAccountId(options, () =>
      transport.getAPIList('/accounts', undefined, { query: { per_page: 5 } }),
    )
    return {
      connection,
      in: (name) => lanes[name] as CloudflareGateway,
      getAccountId,
      ...zoneCalls(client, getAccountId),
      ...recordCalls(client),
      ...zoneSettingCalls(client),
      ...pagesCalls(client, getAccountId),
      graphql: (query, variables) => askAnalytics(transport, options.allowance, query, variables),
    }
  }

  lanes.request = lane(shareOf.request)
  lanes.bulk = lane(shareOf.bulk)
  return {
    gateway: lanes.request,
    retire() {
      isRetired = true
    },
  }
}
