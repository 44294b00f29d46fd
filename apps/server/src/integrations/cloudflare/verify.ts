import { z } from 'zod'
import { unlimited } from '../../platform/allowance.ts'
import { askAnalytics } from './analytics.ts'
import { checked, checkedPage } from './answers.ts'
import { CloudflareError } from './errors.ts'
import { type Account, createTransport, type Transport } from './transport.ts'
import { accountList, zoneList } from './zone-answers.ts'

export type CloudflareAccess = Account & { accountId?: string | undefined }

export type Verified =
  | { isValid: false; reason: string }
  | {
      isValid: true
      account: string | null
      /** null when they may not be read, or when nobody says how many there are. */
      zones: number | null
      /** What the console needs and the token does not give, by name. What only a change would show is not tried. */
      lacking: string[]
    }

/** A few calls, asked for by hand. */
const guard = { before: async () => {}, after: async () => {} }

const zonesAtOnce = 5
const tokenAnswer = z.object({ result: z.object({ status: z.string() }).nullish().catch(null) })

/** Looks at what a token opens, without changing anything. Throws when Cloudflare cannot be reached or fails. */
export async function verifyToken(access: CloudflareAccess): Promise<Verified> {
  const transport = createTransport(access, guard)
  const reason = await findRefusal(transport, access.accountId)
  if (reason !== null) return { isValid: false, reason }
  const lacking: string[] = []
  const query = { per_page: zonesAtOnce }
  const zones = await read('Zone Read', lacking, () =>
    checkedPage('the list of zones', zoneList, transport.getAPIList('/zones', undefined, { query })),
  )
  const isWhole = zones !== null && zones.rows.length < zonesAtOnce
  const zone = zones?.rows[0]
  if (zone) await tryZone(transport, zone.id, lacking)
  const accountId = access.accountId ?? (await findOnlyAccount(transport, lacking))
  if (accountId !== undefined)
    await read('Pages Read', lacking, () => transport.get(`/accounts/${accountId}/pages/projects`))
  const account = zone?.account?.name ?? accountId ?? null
  return { isValid: true, account, zones: zones?.total ?? (isWhole ? zones.rows.length : null), lacking }
}

/** These say nothing of the token. */
const passing: ReadonlySet<string> = new Set(['unavailable', 'rate_limit'])

/** A token belongs to a person or to an account, and each is verified elsewhere. */
async function findRefusal(transport: Transport, accountId: string | undefined): Promise<string | null> {
  const paths = ['/user/tokens/verify', ...(accountId === undefined ? [] : [`/accounts/${accountId}/tokens/verify`])]
  const refusals: CloudflareError[] = []
  for (const path of paths) {
    try {
      const { result } = await checked('the token', tokenAnswer, transport.get(path))
      // Its answer is its proof: a token that is not accepted is refused, and what it opens is tried next.
      const status = result?.status ?? null
      return status === null || status === 'active' ? null : `The token is ${status}`
    } catch (error) {
      if (!(error instanceof CloudflareError) || passing.has(error.kind) || !error.providerStatus) throw error
      refusals.push(error)
    }
  }
  // Any server answers with a status; an error in Cloudflare's own form is what refuses a token.
  if (!refusals.some(({ providerCode }) => providerCode !== undefined)) throw refusals[0]
  return `Cloudflare refused the token (${refusals.map(({ providerStatus }) => providerStatus).join(', ')})`
}

/** null, and `right` among what is lacking, when the token does not give it. */
async function read<T>(right: string, lacking: string[], ask: () => PromiseLike<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    // An analytics query that is not allowed is refused in words alone.
    const isRefused =
      error instanceof CloudflareError && (error.kind === 'auth' || /authoriz|access/i.test(error.message))
    if (!isRefused) throw error
    lacking.push(right)
    return null
  }
}

const zonesOf = z.object({ viewer: z.object({ zones: z.array(z.unknown()) }) })
const analyticsQuery =
  'query Access($zone: string!) { viewer { zones(filter: { zoneTag: $zone }) { settings { httpRequestsAdaptiveGroups { enabled } } } } }'

async function tryZone(transport: Transport, zone: string, lacking: string[]): Promise<void> {
  await read('Zone Settings Read', lacking, () => transport.get(`/zones/${zone}/settings/ssl`))
  await read('DNS Read', lacking, () => transport.get(`/zones/${zone}/dns_records`, { query: { per_page: 5 } }))
  const data = await read('Analytics Read', lacking, () =>
    checked('the analytics', zonesOf, askAnalytics(transport, unlimited, analyticsQuery, { zone })),
  )
  // A zone that the token does not give the analytics of is left out, without a word.
  if (data?.viewer.zones.length === 0) lacking.push('Analytics Read')
}

async function findOnlyAccount(transport: Transport, lacking: string[]): Promise<string | undefined> {
  const page = await read('CLOUDFLARE_ACCOUNT_ID, or Account Settings Read to find it', lacking, () =>
    checkedPage(
      'the list of accounts',
      accountList,
      transport.getAPIList('/accounts', undefined, { query: { per_page: 5 } }),
    ),
  )
  if (!page) return undefined
  const [only, another] = page.rows
  if (only && !another) return only.id
  lacking.push('CLOUDFLARE_ACCOUNT_ID: the token does not open exactly one account')
  return undefined
}
