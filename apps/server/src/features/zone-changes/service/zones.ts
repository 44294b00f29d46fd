import type { zones } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { AddedZone } from '@agency/contract/types'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { CloudflareError } from '../../../integrations/cloudflare/errors.ts'
import type { Zone } from '../../../integrations/cloudflare/zone-answers.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { keepZone } from '../../domains/index.ts'
import type { Change } from '../queries/changes.ts'
import { zoneAddition } from '../ways/zones.ts'
import { makeAgain, makeChange } from './make-change.ts'
import { getConnected, getZone, lacksRight } from './zone.ts'

type Added = ResponseOf<typeof zones.addZone>

const toAdded = ({ id, name, status, name_servers }: Zone): AddedZone => ({
  ...{ id, name, status: status ?? null, name_servers: name_servers ?? [] },
})
const answerOf = ({ after }: Change): Added => ({ zone: toAdded(after as unknown as Zone) })

export async function addZone(ctx: RequestContext, name: string, claim: Claim | null): Promise<Added> {
  const gateway = getConnected(ctx)
  // Which account it is added to is known before anything is written down.
  await gateway.getAccountId()
  return answerOf(await makeChange(ctx, { id: name, name, gateway }, zoneAddition(name), { claim }))
}

export const repeatZone = async (ctx: RequestContext, changeId: string): Promise<Added> =>
  answerOf(await makeAgain(ctx, changeId, () => getConnected(ctx)))

/** Cloudflare looks once an hour at most, and not at all for a domain that is active. */
const isOwnRefusal = (error: unknown): error is CloudflareError =>
  error instanceof CloudflareError && error.kind === 'invalid' && !lacksRight(error)

/** Asks for a look, and tells how the domain stands whether or not there is one. */
export async function checkZone(ctx: RequestContext, id: string): Promise<ResponseOf<typeof zones.checkZone>> {
  const { id: zoneId, gateway } = await getZone(ctx, id)
  const refusal = await gateway.checkActivation(zoneId).then(
    () => null,
    (error: unknown) => {
      if (isOwnRefusal(error)) return error.message
      throw error
    },
  )
  const zone = await gateway.getZone(zoneId)
  await inTransaction(ctx, (tx) => keepZone(tx, zone))
  return { zone: toAdded(zone), checked_at: new Date(ctx.clock()).toISOString(), refusal }
}
