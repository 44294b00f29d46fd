import type { ScheduledReport } from '@agency/contract/report-schedules'
import type { Actor, RequestContext } from '../../context.ts'
import { customerReport } from './content/customer.ts'
import { customerBlocks } from './content/customers.ts'
import { performanceBlocks } from './content/performance.ts'
import { revenueBlocks } from './content/revenue.ts'
import { usageBlocks } from './content/usage.ts'
import { daysText, zoneText } from './content/words.ts'
import type { Days } from './due-times.ts'
import { reportNames } from './names.ts'
import type { Block, ReportMail } from './render/mail.ts'
import { toHtml } from './render/to-html.ts'
import { toText } from './render/to-text.ts'

/** What is reported on; whose scope it is seen in says the context's actor. */
export type Subject = {
  report: ScheduledReport
  customerId: string | null
  cadence: 'weekly' | 'monthly'
  timeZone: string
  days: Days
  /** Who has it sent. */
  owner: string
  /** What is said of the file that comes along, or does not. */
  fileNote: string | null
  /** Where whoever gets it stops it; null while the console does not know its own address. */
  stopUrl: string | null
}

type Composed = { subject: string; html: string; text: string }

const isUtc = (report: ScheduledReport): boolean => report === 'usage' || report === 'performance'

async function blocksOf(ctx: RequestContext, { report, days, timeZone }: Subject): Promise<Block[]> {
  switch (report) {
    case 'revenue':
      return revenueBlocks(ctx, days, timeZone)
    case 'customers':
      return customerBlocks(ctx, days, timeZone)
    case 'usage':
      return usageBlocks(ctx, days)
    default:
      return performanceBlocks(ctx, days)
  }
}

/** Ahead of UTC the last day may be over where the schedule is, and not where its figures are kept. */
function unfinished(ctx: RequestContext, { report, days }: Subject): Block[] {
  const isOver = Date.parse(`${days.last}T00:00:00Z`) + 86_400_000 <= ctx.clock()
  return isOver || !isUtc(report) ? [] : [{ kind: 'note', text: 'The last day (UTC) is in progress: figures so far.' }]
}

const note = (text: string | null): Block[] => (text === null ? [] : [{ kind: 'note', text }])

function linkOf(ctx: RequestContext, { report, days }: Subject): ReportMail['link'] {
  const { publicUrl } = ctx.config
  if (publicUrl === undefined) return null
  const range = new URLSearchParams({ range: 'custom', from: days.first, to: days.last })
  return { href: `${publicUrl}/admin/reports/${report}?${range}`, text: 'Open the report' }
}

const stopOf = ({ stopUrl }: Subject): ReportMail['stop'] =>
  stopUrl === null ? null : { href: stopUrl, text: 'Stop these reports' }

const periodOf = ({ days, timeZone, report }: Subject): string =>
  `${daysText(days)} · days in ${isUtc(report) ? 'UTC' : zoneText(timeZone)}`

async function forCustomer(ctx: RequestContext, subject: Subject, customerId: string): Promise<ReportMail> {
  const { companyName: company, companyColor: color } = ctx.config.settings
  const { name, lead, blocks } = await customerReport(ctx, customerId, subject)
  return {
    ...{ company, color, subject: `${company}: website report, ${daysText(subject.days)}` },
    ...{ title: reportNames.customer, period: periodOf(subject), lead, blocks: [...blocks, ...note(subject.fileNote)] },
    greeting: name === null ? 'Hello,' : `Hello ${name},`,
    footer: [`${company} sends you this report every ${unitOf(subject)}.`],
    ...{ link: null, stop: stopOf(subject) },
  }
}

const unitOf = ({ cadence }: Subject): string => (cadence === 'weekly' ? 'week' : 'month')

async function forPeople(ctx: RequestContext, subject: Subject): Promise<ReportMail> {
  const { companyName: company, companyColor: color } = ctx.config.settings
  const blocks = await blocksOf(ctx, subject)
  const title = reportNames[subject.report]
  return {
    ...{ company, color, subject: `${title}, ${daysText(subject.days)}`, title, period: periodOf(subject) },
    ...{ greeting: null, lead: null },
    blocks: [...unfinished(ctx, subject), ...blocks, ...note(subject.fileNote)],
    footer: [
      `Sent every ${unitOf(subject)}, set up by ${subject.owner} under Reports & Analytics. Changes compare with the previous period.`,
    ],
    ...{ link: linkOf(ctx, subject), stop: stopOf(subject) },
  }
}

/** The mail as `actor` would get it, in both of its forms. */
export async function compose(ctx: RequestContext, actor: Actor, subject: Subject): Promise<Composed> {
  const seen = { ...ctx, actor }
  const { customerId } = subject
  const mail = customerId === null ? await forPeople(seen, subject) : await forCustomer(seen, subject, customerId)
  return { subject: mail.subject, html: toHtml(mail), text: toText(mail) }
}
