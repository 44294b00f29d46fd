import type { FlagGuard } from '@agency/contract/feature-flags'
import type { AppContext } from '../../context.ts'
import type { FlagRow } from './queries/flags.ts'
import { findSignals, type Signals } from './queries/rollouts.ts'
import { exposedTo } from './service/viewers.ts'

/** What happened since the last step to those who see the flag. */
export async function signalsOf(ctx: Pick<AppContext, 'db'>, flag: FlagRow): Promise<Signals> {
  return findSignals(ctx, flag.widened_at ?? flag.updated_at, await exposedTo(ctx, flag))
}

/** Which of these sites came into trouble since then; null: all are well and were looked at. */
export async function newTroubleOf(
  ctx: Pick<AppContext, 'db'>,
  sites: readonly string[],
  since: Date,
): Promise<string | null> {
  return greenOf(await findSignals(ctx, since, { sites, customers: [] }), null)
}

const some = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
const namesText = (names: readonly string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')

const troubleText = ({ troubled }: Signals): string =>
  `${namesText(troubled)} ${troubled.length === 1 ? 'has' : 'have'} trouble`

/** What a guard does not take any more; null: all is within its limits. */
export function trippedBy(guard: FlagGuard, signals: Signals): string | null {
  const { troubled, errors, refunds } = signals
  if (guard.sites !== null && troubled.length >= guard.sites) return troubleText(signals)
  if (guard.errors !== null && errors >= guard.errors) return `${some(errors, 'server error')} since the last step`
  if (guard.refunds !== null && refunds >= guard.refunds) return `${some(refunds, 'refund')} since the last step`
  return null
}

/** Why the next step has to wait; null: all checks are green. */
export function greenOf(signals: Signals, guard: FlagGuard | null): string | null {
  if (signals.troubled.length > 0) return troubleText(signals)
  if (signals.unchecked > 0) return `${some(signals.unchecked, 'site')} not checked since the last step`
  return guard && trippedBy(guard, signals)
}
