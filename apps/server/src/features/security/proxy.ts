import type { AppContext } from '../../context.ts'
import { isPublicAddress } from '../../platform/probe/public-address.ts'
import { findForwarder, saveForwarder } from './queries/forwarder.ts'

const quietMs = 3_600_000
const validMs = 7 * 86_400_000

const trustOf = ({ config }: Pick<AppContext, 'config'>): string => JSON.stringify(config.trustProxy)

/** Anybody can send such headers, so it is written down seldom; a peer nearby, which is a proxy most likely, counts for more. */
export function createProxyWatch(ctx: AppContext) {
  const writtenAt = new Map<boolean, number>()

  async function save(peer: string, isNear: boolean): Promise<void> {
    const at = new Date(ctx.clock())
    const forwarder = { peer, trust: trustOf(ctx), isNear }
    await saveForwarder(ctx, forwarder, { at, validSince: new Date(at.getTime() - validMs) })
    ctx.log.warn({ peer }, 'requests carry forwarded headers of a peer that TRUST_PROXY does not name')
  }

  return {
    /** Never fails: nobody waits for it. */
    async note(peer: string): Promise<void> {
      const isNear = !isPublicAddress(peer)
      const now = ctx.clock()
      if (now - (writtenAt.get(isNear) ?? Number.NEGATIVE_INFINITY) < quietMs) return
      writtenAt.set(isNear, now)
      try {
        await save(peer, isNear)
      } catch (error) {
        writtenAt.delete(isNear)
        ctx.log.warn({ err: error }, 'a forwarding peer could not be written down')
      }
    },
  }
}

export type UntrustedProxy = { isNear: boolean; finding: string; advice: string }

/** A proxy in front that TRUST_PROXY, as it is set now, does not name. */
export async function findUntrustedProxy(
  ctx: Pick<AppContext, 'db' | 'config' | 'clock'>,
): Promise<UntrustedProxy | null> {
  const found = await findForwarder(ctx, trustOf(ctx), new Date(ctx.clock() - validMs))
  if (!found) return null
  const { peer, isNear } = found
  return {
    isNear,
    finding: `Requests from ${peer} carry forwarded headers, but TRUST_PROXY does not name ${peer}: all visitors count as one address`,
    advice: `If ${peer} is your proxy, set TRUST_PROXY=${peer} and start again. If not, the headers are fake and ignored.`,
  }
}
