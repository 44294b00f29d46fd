import { inTransaction, type RequestContext } from '../../context.ts'
import { shortDayText } from '../../platform/day-text.ts'
import { notify } from '../notifications/index.ts'
import { findEnding, patchKey } from './queries.ts'
import { dayMs, dueReminder, reminderDays } from './state.ts'

function titleOf(name: string, days: number): string {
  return days === 1 ? `The API key ${name} expires within a day` : `The API key ${name} expires within ${days} days`
}

/** Tells 30 days, 7 days and a day before a key ends, each once. */
export async function remindOfEnds(ctx: RequestContext): Promise<void> {
  const now = ctx.clock()
  for (const key of await findEnding(ctx, new Date(now), new Date(now + reminderDays[0] * dayMs))) {
    const end = key.expires_at
    const due = end && dueReminder(end.getTime() - now)
    if (!due || (key.reminded_days !== null && key.reminded_days <= due)) continue
    await inTransaction(ctx, async (tx) => {
      await patchKey(tx, key.id, { reminded_days: due })
      await notify(tx, {
        dedupeKey: `api_key.expiring:${key.id}:${due}`,
        type: 'api_key.expiring',
        severity: due === 1 ? 'error' : 'warning',
        permission: 'admin.system',
        title: titleOf(key.name, due),
        body: `Expires on ${shortDayText(end)}. Generate a new key and replace the old one.`,
        link: '/admin/api-keys',
      })
    })
  }
}
