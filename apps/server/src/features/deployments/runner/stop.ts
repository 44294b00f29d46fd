import type { RequestContext } from '../../../context.ts'
import type { DeployProvider } from '../providers/provider.ts'
import { findRow } from '../queries/rows.ts'
import { orderOf } from './order.ts'

/** Whoever asked for the end waits: what takes longer is left to itself, and that is said. */
const patienceMs = 4000

const leftAlone = (why: string): string => `Not stopped at the host: ${why}. The build may still go live`

async function stop(ctx: RequestContext, id: string, provider: DeployProvider): Promise<string> {
  const row = await findRow(ctx.db, id)
  if (!row?.sent_at) return 'Nothing was sent to the host'
  const lost = row.accepted_at === null ? await provider.findLost(await orderOf(ctx, row)) : null
  const providerId = lost !== null && lost !== 'unknowable' ? lost.providerId : row.provider_deployment_id
  const why = await provider.stop({ ...row, provider_deployment_id: providerId })
  return why === null ? 'Stopped at the host' : leftAlone(why)
}

/** Stops a build at its provider; answers what became of it, in words. */
export async function stopAtProvider(ctx: RequestContext, id: string, provider: DeployProvider): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(leftAlone('no answer in time')), patienceMs)
  })
  const stopping = stop(ctx, id, provider).catch((error: unknown) => {
    ctx.log.warn({ err: error, deployment: id }, 'a deployment could not be stopped at the provider')
    return leftAlone('the host could not be reached')
  })
  try {
    return await Promise.race([stopping, late])
  } finally {
    clearTimeout(timer)
  }
}
