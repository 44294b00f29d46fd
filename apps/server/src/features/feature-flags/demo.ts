import type { Config } from '../../config.ts'
import { inTransaction, type RequestContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { createApiKey, revokeApiKey } from '../api-keys/index.ts'
import { adminKeyActor } from '../auth/index.ts'
import { type Demo, deleteDemo, findDemo, isKeyGood, saveDemo } from './queries/demo.ts'
import { findFlag } from './queries/flags.ts'
import { archiveFlag, createFlag } from './service/change-flags.ts'
import { cancelRollout } from './service/rollouts.ts'

const dayMs = 86_400_000
const nobody = { customers: [], sites: [], plans: [], domains: [] }
const plain = { always: nobody, never: nobody, prerequisites: [], owner_id: null, guard: null }

/** What the demo's sites can show: the sandbox knows these names. */
const flags = [
  {
    ...{
      ...plain,
      name: 'announcement-bar',
      description: 'A line above the page that announces the offer of the week.',
    },
    ...{ enabled: true, rollout_percentage: 100, rollout_by: 'site', kind: 'operational' },
  },
  {
    ...{ ...plain, name: 'new-hero', description: 'The new look of the first screen, for some of the sites so far.' },
    ...{ enabled: true, rollout_percentage: 30, rollout_by: 'site', kind: 'release' },
    guard: { sites: 1, errors: null, refunds: 3, switches_off: false },
  },
  {
    ...{
      ...plain,
      name: 'quick-contact',
      description: 'A card that invites visitors to write, tried with half of them.',
    },
    ...{ enabled: false, rollout_percentage: 50, rollout_by: 'visitor', kind: 'experiment' },
  },
] as const

/** Where the sandbox, on this machine, reaches this console. */
function addressOf({ host, port }: Pick<Config, 'host' | 'port'>): string | null {
  if (port === 0) return null
  const isAny = host === '0.0.0.0' || host === '::'
  return `http://${isAny ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`
}

/** In a demo the sites that the sandbox hosts show what these flags are about; a console with real accounts keeps none of it. */
export async function keepDemoFlags(ctx: RequestContext): Promise<void> {
  const known = await findDemo(ctx)
  if (ctx.config.mode !== 'demo') {
    if (known) await clear(ctx, known)
    return
  }
  const url = addressOf(ctx.config)
  if (!ctx.demoFlags || url === null) return
  const demo = known ?? (await fill(ctx))
  const isTold = (await ctx.demoFlags.where()) === url
  if (isTold && demo.key_id !== null && (await isKeyGood(ctx, demo.key_id, new Date(ctx.clock() + 60 * dayMs)))) return
  await giveKey(ctx, ctx.demoFlags, url, demo)
}

async function fill(ctx: RequestContext): Promise<Demo> {
  return inTransaction(ctx, async (tx) => {
    const flag_ids: string[] = []
    for (const terms of flags) {
      const made = await createFlag(tx as unknown as RequestContext, structuredClone(terms) as never).catch(ignoreTaken)
      if (made) flag_ids.push(made.id)
    }
    const demo = { flag_ids, key_id: null }
    await saveDemo(tx, demo, new Date(tx.clock()))
    return demo
  })
}

/** Somebody has a flag of that name already. */
function ignoreTaken(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'conflict') return undefined
  throw error
}

async function giveKey(
  ctx: RequestContext,
  demoFlags: NonNullable<RequestContext['demoFlags']>,
  url: string,
  demo: Demo,
): Promise<void> {
  // A key stands on somebody who may make keys.
  const maker = { ...ctx, actor: { ...adminKeyActor, name: 'Demo' } }
  const { key, api_key } = await createApiKey(maker, {
    ...{ name: 'Demo sites', permissions: ['flags.evaluate'], allowed_origins: [], rate_limit_per_minute: 10_000 },
    expires_at: new Date(ctx.clock() + 365 * dayMs).toISOString(),
  })
  await demoFlags.set({ url, key })
  await inTransaction(ctx, (tx) => saveDemo(tx, { ...demo, key_id: api_key.id }, new Date(tx.clock())))
  if (demo.key_id !== null) await revokeApiKey(ctx, demo.key_id)
}

async function clear(ctx: RequestContext, { flag_ids, key_id }: Demo): Promise<void> {
  for (const id of flag_ids) {
    if (!(await findFlag(ctx, id))) continue
    await cancelRollout(ctx, id).catch(ignoreTaken)
    // One that another flag needs by now has become somebody's own.
    await archiveFlag(ctx, id).catch(ignoreTaken)
  }
  if (key_id !== null) await revokeApiKey(ctx, key_id)
  await inTransaction(ctx, (tx) => deleteDemo(tx))
}
