import type { AppContext } from '../../../context.ts'
import { CloudflareError } from '../../../integrations/cloudflare/errors.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { findOldSettings, type Heard, saveSettings, type ZoneSettings } from '../queries/zones.ts'

type Where = Pick<AppContext, 'pool' | 'clock'>

/** Two questions a zone: with ten pages of 50 zones, a round stays within 300 calls. */
const mostPerRound = 140
const hour = 60 * 60_000
/** Kept together, so that a screen hears of a few changes rather than of hundreds. */
const chunk = 25
const atOnce = 5

/** Failures of the connection as a whole: the next zone would fare no better. */
const lasting = new Set(['rate_limit', 'unavailable'])

async function hear(asked: Promise<string>, right: string): Promise<Heard> {
  try {
    return { value: await asked, problem: null, isKept: false }
  } catch (error) {
    if (!(error instanceof CloudflareError) || lasting.has(error.kind)) throw error
    // A token that is not good at all is refused with 401; with 403 it lacks a right.
    if (error.kind === 'auth' && error.providerStatus !== 401)
      return { value: null, problem: `No access: the token lacks ${right}`, isKept: false }
    return { value: null, problem: error.message, isKept: true }
  }
}

export async function askSettings(gateway: CloudflareGateway, id: string): Promise<ZoneSettings> {
  const [ssl, dnssec] = await Promise.all([
    hear(gateway.getSetting(id, 'ssl'), 'Zone Settings:Read'),
    hear(gateway.getDnssec(id), 'DNS:Read'),
  ])
  return { id, ssl, dnssec }
}

/** One zone after the other, a few at once; what was heard before a failure is kept. */
async function askAll(
  gateway: CloudflareGateway,
  ids: readonly string[],
): Promise<{ heard: ZoneSettings[]; failure: unknown }> {
  const heard: ZoneSettings[] = []
  const waiting = [...ids]
  let failure: unknown
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined && failure === undefined; id = waiting.shift()) {
      try {
        heard.push(await askSettings(gateway, id))
      } catch (error) {
        failure ??= error
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { heard, failure }
}

/** SSL mode and DNSSEC of the zones that were asked the longest ago: every zone's turn comes, a part of them each round. */
export async function readOldSettings(ctx: Where, gateway: CloudflareGateway, signal: AbortSignal): Promise<void> {
  const ids = await findOldSettings(ctx, gateway.connection, new Date(ctx.clock() - hour), mostPerRound)
  for (let from = 0; from < ids.length && !signal.aborted; from += chunk) {
    const { heard, failure } = await askAll(gateway, ids.slice(from, from + chunk))
    if (heard.length > 0) await saveSettings(ctx, heard)
    if (failure !== undefined) throw failure
  }
}
