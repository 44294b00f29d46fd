import { type Actor, inTransaction, type RequestContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import type { PageContent, PlainPage } from '../../platform/http/plain-page.ts'
import { type AcknowledgeLink, readLink, spendLink } from '../channels/index.ts'
import { findByIds, lockAlerts } from './queries/alerts.ts'
import { findPersonOf } from './queries/people.ts'
import { acknowledge } from './service/change-alert.ts'

const severityLabels = { info: 'Info', warning: 'Warning', error: 'Error', critical: 'Critical' } as const

const pageOf = (ctx: RequestContext, content: Omit<PageContent, 'company'>): PageContent => ({
  ...content,
  company: ctx.config.settings.companyName,
})

const unknown = (ctx: RequestContext): PageContent =>
  pageOf(ctx, {
    status: 404,
    title: 'Unknown link',
    paragraphs: ['The link may be incomplete. Open the alert in the console instead.'],
    link: { href: '/admin/alerts', text: 'Open alerts' },
  })

const linkTo = (id: string) => ({
  href: `/admin/alerts?open=${encodeURIComponent(id)}`,
  text: 'Open in the console',
})

/** Why there is nothing to press; null: there is. */
function closedBy({ state }: AcknowledgeLink, alert: { status: string }): string | null {
  if (alert.status === 'resolved') return 'This alert is already resolved.'
  if (alert.status === 'acknowledged') return 'This alert is already acknowledged.'
  if (state === 'used') return 'This link was already used.'
  if (state === 'expired') return 'This link has expired. Open the alert in the console instead.'
  return null
}

async function show(ctx: RequestContext, token: string): Promise<PageContent> {
  const link = await readLink(ctx, token)
  const [alert] = link ? await findByIds(ctx, [link.alertId]) : []
  if (!link || !alert) return unknown(ctx)
  const closed = closedBy(link, alert)
  const paragraphs = [`${severityLabels[alert.severity]} · since ${timeText(ctx, alert.opened_at)}`, alert.detail]
  if (closed !== null)
    return pageOf(ctx, {
      ...{ status: 410, title: alert.title, paragraphs: [...paragraphs, closed], link: linkTo(alert.id) },
    })
  return pageOf(ctx, {
    ...{ status: 200, title: alert.title, button: 'Acknowledge', link: linkTo(alert.id) },
    paragraphs: [...paragraphs, 'Acknowledge to take over this alert. No further notices are sent.'],
  })
}

function timeText(ctx: RequestContext, at: Date): string {
  const timeZone = ctx.config.settings.timeZone ?? 'UTC'
  const text = at.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone })
  return `${text} (${timeZone.replaceAll('_', ' ')})`
}

/** Whoever the mail went to. An address that is nobody's account acts under itself. */
async function actorOf(ctx: RequestContext, address: string): Promise<Actor> {
  const person = await findPersonOf(ctx, address)
  if (person && !person.is_active)
    throw new AppError('forbidden', 'This account is no longer active. Nothing was changed.')
  const nobody = { type: 'anonymous', id: address, name: address } as const
  const who = person ? ({ type: 'user', id: person.id, name: person.name } as const) : nobody
  return { ...who, role: 'none', permissions: new Set() }
}

/** The link is spent with what it does: neither happens alone. */
async function act(ctx: RequestContext, token: string): Promise<PageContent> {
  const link = await readLink(ctx, token)
  if (!link) return unknown(ctx)
  try {
    const actor = await actorOf(ctx, link.address)
    const isDone = await inTransaction({ ...ctx, actor }, async (tx) => {
      await lockAlerts(tx)
      const [alert] = await findByIds(tx, [link.alertId])
      const isOpen = alert !== undefined && alert.status !== 'acknowledged' && alert.status !== 'resolved'
      if (!isOpen || !(await spendLink(tx, token))) return false
      await acknowledge({ ...ctx, actor, db: tx.db }, link.alertId, `by mail link sent to ${link.address}`)
      return true
    })
    // What stands in its way is said as on any look.
    if (!isDone) return await show(ctx, token)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return pageOf(ctx, {
      ...{ status: error.status, title: 'Not acknowledged', paragraphs: [error.message], link: linkTo(link.alertId) },
    })
  }
  return pageOf(ctx, {
    ...{ status: 200, title: 'Acknowledged', link: linkTo(link.alertId) },
    paragraphs: ['No further notices, unless the alert reopens.'],
  })
}

export const acknowledgePage: PlainPage = { path: '/acknowledge/:token', show, act }
