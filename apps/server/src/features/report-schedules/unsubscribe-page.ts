import type { RequestContext } from '../../context.ts'
import type { PageContent, PlainPage } from '../../platform/http/plain-page.ts'
import { nameOf } from './names.ts'
import { findSchedule, type ScheduleRow } from './queries/schedules.ts'
import { unsubscribedFrom } from './queries/unsubscribes.ts'
import { changeSubscription } from './service/unsubscribe.ts'
import { readToken } from './unsubscribe-link.ts'

const again = 'again'

const pageOf = (ctx: RequestContext, content: Omit<PageContent, 'company'>): PageContent => ({
  ...content,
  company: ctx.config.settings.companyName,
})

/** The same for a link that was altered and for one whose schedule is gone: it tells nobody what there is. */
const unknown = (ctx: RequestContext): PageContent =>
  pageOf(ctx, {
    ...{ status: 404, title: 'Unknown link' },
    paragraphs: ['The link may be incomplete, or the report is no longer sent. Use the link in the newest email.'],
  })

const stopped = async (ctx: RequestContext, schedule: ScheduleRow): Promise<PageContent> =>
  pageOf(ctx, {
    ...{ status: 200, title: 'Unsubscribed', button: 'Send them again', does: again },
    paragraphs: [await nameOf(ctx, schedule), 'You get no more emails of this report.'],
  })

async function show(ctx: RequestContext, token: string): Promise<PageContent> {
  const whose = await readToken(ctx, token)
  const schedule = whose && (await findSchedule(ctx, whose.scheduleId))
  if (!whose || !schedule) return unknown(ctx)
  if ((await unsubscribedFrom(ctx, schedule.id)).has(whose.receiverId)) return stopped(ctx, schedule)
  return pageOf(ctx, {
    ...{ status: 200, title: await nameOf(ctx, schedule), button: 'Stop these reports' },
    paragraphs: ['Stop these reports? The same link starts them again.'],
  })
}

/** Whatever is sent stops them, as mail programs send what they like; only its own button starts them again. */
async function act(ctx: RequestContext, token: string, does: string | undefined): Promise<PageContent> {
  const whose = await readToken(ctx, token)
  const change = does === again ? 'resubscribe' : 'unsubscribe'
  const schedule = whose && (await changeSubscription(ctx, whose, change))
  if (!schedule) return unknown(ctx)
  if (change === 'unsubscribe') return stopped(ctx, schedule)
  return pageOf(ctx, {
    ...{ status: 200, title: 'Subscribed again', button: 'Stop these reports' },
    paragraphs: [await nameOf(ctx, schedule), 'You get the next email of this report again.'],
  })
}

export const unsubscribePage: PlainPage = { path: '/unsubscribe/:token', show, act }
