import type { RestoreLine } from '@agency/contract/backups'
import type { RequestContext } from '../../../context.ts'
import { counted } from '../../../platform/counted.ts'
import { AppError } from '../../../platform/errors.ts'
import type { StepWork } from '../../../platform/runs/durable-run.ts'
import { adoptRefunds } from '../../billing/index.ts'
import { takeMissed } from '../../deployments/index.ts'
import { readZones } from '../../domains/index.ts'
import { eraseAgain } from '../../lifecycle/index.ts'
import { catchUp } from '../../mirror/index.ts'
import type { RestoreRow } from '../queries/restores.ts'
import { findChangesSince } from '../queries/since.ts'

type Said = Omit<RestoreLine, 'what'>

const done = (text: string): Said => ({ ok: true, text })
const open = (text: string): Said => ({ ok: false, text })

async function stripe(ctx: RequestContext, signal: AbortSignal): Promise<Said> {
  if (!ctx.stripe) return open('Not connected. Payments since the backup are missing until you connect Stripe.')
  const { by, checked, repaired, differed } = await catchUp(ctx, signal)
  const how = by === 'import' ? 'Imported everything again' : 'Applied the events since'
  const text = `${how}: ${counted(checked, 'record')} compared, ${repaired.toLocaleString('en-US')} updated.`
  return differed > repaired ? open(`${text} ${counted(differed - repaired, 'record')} still out of date.`) : done(text)
}

async function refunds(ctx: RequestContext): Promise<Said> {
  const found = await adoptRefunds(ctx)
  return done(
    found === 0 ? 'No refund was missing.' : `Found ${counted(found, 'missing refund')} at Stripe by action ID.`,
  )
}

async function zones(ctx: RequestContext): Promise<Said> {
  const found = await readZones(ctx)
  return found === null
    ? open('Not connected. The domains are those of the backup.')
    : done(`${counted(found, 'zone')} read from Cloudflare.`)
}

async function deployments(ctx: RequestContext): Promise<Said> {
  if (!ctx.cloudflare) return open('Not connected. Deployments since the backup are missing.')
  const found = await takeMissed(ctx)
  return done(
    found === 0 ? 'No deployment was missing.' : `Imported ${counted(found, 'deployment')} made since the backup.`,
  )
}

async function erasures(ctx: RequestContext): Promise<Said> {
  const found = await eraseAgain(ctx)
  return done(found === 0 ? 'No customer had to be erased again.' : `${counted(found, 'customer')} erased again.`)
}

/** What only the console knew: it is told, because nobody else can bring it back. */
async function others(ctx: RequestContext, since: Date): Promise<Said> {
  const changes = await findChangesSince(ctx, since)
  if (changes.length === 0) return done('No other changes were made in the console since the backup.')
  const total = changes.reduce((sum, { entries }) => sum + entries, 0)
  const most = changes.slice(0, 5).map(({ action, entries }) => `${action.replaceAll(/[._]/g, ' ')} (${entries})`)
  return open(
    `${counted(total, 'change')} made in the console since the backup ${total === 1 ? 'is' : 'are'} gone; find ${total === 1 ? 'it' : 'them'} in the audit log: ${most.join(', ')}.`,
  )
}

/** Erasures last: what was read again of whoever was erased goes with the rest. */
const parts: readonly [what: string, work: (ctx: RequestContext, since: Date, signal: AbortSignal) => Promise<Said>][] =
  [
    ['Stripe', (ctx, _since, signal) => stripe(ctx, signal)],
    ['Refunds', refunds],
    ['Domains', zones],
    ['Deployments', deployments],
    ['Erasures', erasures],
    ['Console', others],
  ]

/** Brings in what the world did since the backup. A part that cannot be is told, and keeps no other from its turn. */
export async function replay(ctx: RequestContext, restore: RestoreRow, work: StepWork): Promise<RestoreLine[]> {
  const lines: RestoreLine[] = []
  for (const [index, [what, bring]] of parts.entries()) {
    work.signal.throwIfAborted()
    work.progress(index, parts.length, what)
    try {
      lines.push({ what, ...(await bring(ctx, restore.snapshot_at, work.signal)) })
    } catch (error) {
      work.signal.throwIfAborted()
      ctx.log.warn({ err: error, what }, 'a part could not be brought in after a restore')
      const reason = error instanceof AppError && error.code !== 'internal' ? error.message : 'See the server log'
      lines.push({ what, ...open(`Not replayed: ${reason.replace(/\.?$/, '.')} The console retries automatically.`) })
    }
  }
  return lines
}
