import type { FeatureFlag, FlagChange } from '@agency/contract/feature-flags'
import type { AppContext, RequestContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { type FlagRow, findFlag, findFlags, findNames } from '../queries/flags.ts'
import { findHistory, type HistoryRow } from '../queries/history.ts'
import { findLastRollouts } from '../queries/rollouts.ts'
import { idsOf, linesOf, namingOf, type Settings } from '../settings.ts'
import { toFlag } from '../to-flag.ts'

export async function listFlags(ctx: Pick<AppContext, 'db' | 'clock'>): Promise<FeatureFlag[]> {
  const flags = await findFlags(ctx)
  const names = await findNames(ctx, idsOf(flags.flatMap(({ always, never }) => [always, never])))
  const naming = namingOf(names, flags)
  const rollouts = new Map((await findLastRollouts(ctx)).map((row) => [row.flag_id, row]))
  return flags.map((row) => toFlag(row, naming, rollouts.get(row.id), ctx.clock()))
}

export async function getFlagRow(ctx: Pick<AppContext, 'db'>, id: string): Promise<FlagRow> {
  const row = await findFlag(ctx, id)
  if (!row) throw notFound(`Feature flag ${id}`)
  return row
}

export async function getFlag(ctx: Pick<AppContext, 'db' | 'clock'>, id: string): Promise<FeatureFlag> {
  const flag = (await listFlags(ctx)).find((one) => one.id === id)
  if (!flag) throw notFound(`Feature flag ${id}`)
  return flag
}

const isSettings = (facts: HistoryRow['after']): facts is Settings => facts !== null && 'rollout_by' in facts

export async function listHistory(ctx: RequestContext, id: string): Promise<FlagChange[]> {
  const flag = await getFlagRow(ctx, id)
  const rows = await findHistory(ctx, id)
  const settings = rows.flatMap(({ before, after }) => [before, after]).filter(isSettings)
  const names = await findNames(ctx, idsOf(settings.flatMap(({ always, never }) => [always, never])))
  const naming = namingOf(names, await findFlags(ctx))
  return rows.map(({ id: entry, at, actor_name, action, before, after }) => {
    const version = isSettings(after) ? after.version : null
    const lines = isSettings(before) && isSettings(after) ? linesOf(before, after, naming) : []
    const reason = after?.reason
    return {
      ...{ id: entry, at: at.toISOString(), actor: actor_name, action: action.replace('feature_flag.', ''), version },
      lines: reason ? [reason, ...lines] : lines,
      can_revert: version !== null && version !== flag.version && flag.archived_at === null,
    }
  })
}
