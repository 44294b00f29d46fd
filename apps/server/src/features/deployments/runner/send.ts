import type { RequestContext } from '../../../context.ts'
import { inTransaction } from '../../../context.ts'
import { type DeployTarget, noteDeployment } from '../../sites/index.ts'
import { type Build, type DeployProvider, NotStarted, Unclear, unknownBuild } from '../providers/provider.ts'
import { stillLookedFor } from '../queries/columns.ts'
import { patchHeld } from '../queries/leases.ts'
import { insertNote } from '../queries/log.ts'
import { type DeploymentChange, type DeploymentRow, findRow, patchRow } from '../queries/rows.ts'
import { giveEnvironment } from './environment.ts'
import { end, type Held, patch } from './held.ts'
import { createCallback, orderOf } from './order.ts'

const lookSoonMs = 1000
const lostAfterMs = 20_000
/** A process that is gone must not keep a deployment open for longer. */
const unaskableAfterMs = 40_000

const factsOf = ({
  providerId,
  buildId,
  version,
  commitHash,
  commitMessage,
  branch,
  url,
}: Build): DeploymentChange => ({
  ...(providerId !== null && { provider_deployment_id: providerId }),
  ...(buildId !== null && { build_id: buildId }),
  ...(version !== null && { version }),
  ...(commitHash !== null && { commit_hash: commitHash }),
  ...(commitMessage !== null && { commit_message: commitMessage }),
  ...(branch !== null && { branch }),
  ...(url !== null && { url }),
})

/** Written down before the provider is asked: whoever takes over then knows that it may have been. */
function writeIntent(ctx: RequestContext, held: Held, change: DeploymentChange): Promise<DeploymentRow | undefined> {
  return inTransaction(ctx, async (tx) => {
    const now = new Date(tx.clock())
    const row = await patchHeld(tx.db, held, { ...change, sent_at: now, wait_note: null })
    if (row) await noteDeployment(tx, row.site_id, { state: 'started', at: now })
    return row
  })
}

/** Asks the provider. Answers in how many milliseconds it goes on, or null when it does not. */
export async function send(
  ctx: RequestContext,
  held: Held,
  row: DeploymentRow,
  { target, provider }: { target: DeployTarget; provider: DeployProvider },
): Promise<number | null> {
  const known = await provider.listKnown()
  const given = await giveEnvironment(ctx, provider, row)
  const callback = createCallback(ctx, target)
  const intent = await writeIntent(ctx, held, {
    ...{ known_before: known, callback_hash: callback?.hash ?? null },
    ...{ environment_version: given.version, environment_note: given.note },
  })
  if (!intent) return null
  held.hasSent = true
  try {
    return await accept(ctx, held, provider, await provider.start(await orderOf(ctx, intent, callback?.url)))
  } catch (error) {
    if (error instanceof NotStarted) return refused(ctx, held, error)
    ctx.log.warn({ err: error, deployment: held.id }, 'the answer of a provider was lost')
    await patch(ctx, held, { provider_error: error instanceof Unclear ? error.message : 'The host did not answer' })
    return lookSoonMs
  }
}

async function refused(ctx: RequestContext, held: Held, { message, retryAfter }: NotStarted): Promise<number | null> {
  if (retryAfter === undefined)
    return end(ctx, held, () => ({ status: 'failed', failure: `${message}. Nothing was changed`, isNothing: true }))
  await patch(ctx, held, { sent_at: null, wait_note: `${message}. Next try in ${retryAfter} seconds` })
  return retryAfter * 1000
}

/** The provider has it. One that was cancelled while the call was on its way is ended there too. */
async function accept(ctx: RequestContext, held: Held, provider: DeployProvider, build: Build): Promise<number | null> {
  const now = new Date(ctx.clock())
  const found = await findRow(ctx.db, held.id)
  const isRollback = found?.kind === 'rollback'
  const isBuilt = isRollback && provider.rollsBackAtOnce
  // What a rollback brings back is known from the deployment that built it.
  const facts = isRollback ? { provider_deployment_id: build.providerId } : factsOf(build)
  const change = {
    ...{ ...facts, accepted_at: now, wait_note: null, ...(isBuilt && { built_at: now }) },
    // As long as nothing is known of it, what was heard instead of an answer stands.
    ...(build !== unknownBuild && { provider_error: null }),
  }
  if (await patch(ctx, held, change)) return 0
  const row = await findRow(ctx.db, held.id)
  if (row?.status !== 'cancelled' || row.provider_deployment_id !== null) return null
  await patchRow(ctx.db, row.id, facts)
  const why = await provider.stop({ ...row, provider_deployment_id: build.providerId }).catch((error: unknown) => {
    ctx.log.warn({ err: error, deployment: row.id }, 'a cancelled deployment could not be stopped')
    return 'it could not be reached'
  })
  await patchRow(ctx.db, row.id, {
    failure: why === null ? 'Stopped at the host' : `Not stopped at the host: ${why}`,
  })
  return null
}

/** A builder that cannot be asked tells by a call that it began; who asked for it and ended is not waited for longer. */
async function goOnUntold(
  ctx: RequestContext,
  held: Held,
  row: DeploymentRow,
  { provider, waited, isAskerLost }: { provider: DeployProvider; waited: number; isAskerLost: boolean },
): Promise<number | null> {
  const { provider_error: heard } = row
  if (heard !== null)
    await inTransaction(ctx, (tx) => insertNote(tx.db, row.id, `${heard}; ${stillLookedFor}`, new Date(tx.clock())))
  if (!isAskerLost) return accept(ctx, held, provider, unknownBuild)
  if (waited < unaskableAfterMs) return lookSoonMs
  const failure =
    'Lost worker: the console restarted before the deploy hook answered. Check the host before you deploy again'
  return end(ctx, held, () => ({ status: 'failed', failure }))
}

/** The answer was lost, with its process or on its way: what the provider has decides, and it is not asked again. */
export async function findLost(
  ctx: RequestContext,
  held: Held,
  row: DeploymentRow,
  provider: DeployProvider,
): Promise<number | null> {
  const order = await orderOf(ctx, row)
  const waited = ctx.clock() - (row.sent_at?.getTime() ?? 0)
  const found = await provider.findLost(order).catch((error: unknown) => {
    ctx.log.warn({ err: error, deployment: row.id }, 'a provider could not be asked for a lost deployment')
    return undefined
  })
  const isAskerLost = !held.hasSent && row.provider_error === null
  if (found === 'unknowable') return goOnUntold(ctx, held, row, { provider, waited, isAskerLost })
  if (found) return accept(ctx, held, provider, found)
  if (waited < (found === null ? lostAfterMs : unaskableAfterMs)) return lookSoonMs
  const what = isAskerLost ? 'Lost worker: the console restarted before the host answered' : 'No answer'
  const then =
    found === null
      ? 'and the host has no such deployment. Nothing was changed; deploy again'
      : 'and the host cannot be reached. Check the host before you deploy again'
  return end(ctx, held, () => ({ status: 'failed', failure: `${what}, ${then}`, isNothing: found === null }))
}
