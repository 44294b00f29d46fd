import type { Need, NeedKind } from '@agency/contract/dashboard'
import type { Permission } from '@agency/contract/permissions'
import type { RequestContext } from '../../../context.ts'
import { declineText } from '../../../integrations/stripe/decline-text.ts'
import { findActiveIncidents } from '../../incidents/index.ts'
import { siteNameOf } from '../../purchases/index.ts'
import { findDriftNeeds, findPastDue, findRecoverable, findStuckPurchases } from '../queries/money-needs.ts'
import type { Page } from '../queries/page-of.ts'
import { findEndingCertificates, findEndingDomains, findFailedDeployments } from '../queries/site-needs.ts'

/** `about`: two sources that tell of the same thing say so, and it is shown once. */
export type Found = Omit<Need, 'kind'> & { about: string }

export type Source = {
  permission: Permission
  find: (ctx: RequestContext) => Promise<{ found: Found[]; total: number }>
}

const dayMs = 86_400_000
const most = 20

const id = encodeURIComponent
const daysAgo = ({ clock }: RequestContext, days: number) => new Date(clock() - days * dayMs)

const foundIn = <Row>({ rows, total }: Page<Row>, toFound: (row: Row) => Found) => ({ found: rows.map(toFound), total })

/** `within a day`, `in 5 days`, `2 days ago` */
function distance(at: Date, now: number): string {
  const days = Math.floor((at.getTime() - now) / dayMs)
  if (days < 0) return days === -1 ? 'within the last day' : `${-days} days ago`
  return days === 0 ? 'within a day' : `in ${days} ${days === 1 ? 'day' : 'days'}`
}

const severities: Record<string, string> = { sev1: 'SEV1', sev2: 'SEV2', sev3: 'SEV3', sev4: 'SEV4' }

const incident: Source = {
  permission: 'sites.read',
  async find(ctx) {
    const { incidents, total } = await findActiveIncidents(ctx, most)
    const found = incidents.map(
      ({ id: incidentId, number, title, severity, opened_at: at, at_risk: atRisk, affected_sites: sites }): Found => ({
        ...{ id: incidentId, about: `incident:${incidentId}`, title, at },
        detail: [`INC-${number}`, severities[severity], sites > 0 ? `${sites} ${sites === 1 ? 'site' : 'sites'}` : '']
          .filter(Boolean)
          .join(' · '),
        money: atRisk?.map(({ currency, mrr }) => ({ amount: mrr, currency })) ?? null,
        link: `/admin/incidents/${id(incidentId)}`,
      }),
    )
    return { found, total }
  },
}

const pastDue: Source = {
  permission: 'billing.read',
  find: async (ctx) =>
    foundIn(await findPastDue(ctx, most), (row) => ({
      ...{ id: row.id, about: `subscription:${row.id}`, title: row.customer ?? 'Unnamed customer', money: row.money },
      detail: [row.plan, row.nextTryAt ? `next try ${distance(row.nextTryAt, ctx.clock())}` : null]
        .filter(Boolean)
        .join(' · '),
      at: row.since.toISOString(),
      link: `/admin/subscriptions?open=${id(row.id)}`,
    })),
}

const failedPayment: Source = {
  permission: 'billing.read',
  find: async (ctx) =>
    foundIn(await findRecoverable(ctx, { since: daysAgo(ctx, 60), singleSince: daysAgo(ctx, 14) }, most), (row) => ({
      ...{ id: row.id, about: `payment:${row.id}`, title: row.customer ?? 'Unnamed customer' },
      detail:
        row.kind === 'invoice'
          ? `Invoice ${row.what ?? 'without a number'}`
          : row.why
            ? declineText(row.why)
            : row.what,
      money: [{ amount: row.amount, currency: row.currency }],
      at: row.since.toISOString(),
      link:
        row.kind === 'payment'
          ? `/admin/payments?open=${id(row.id)}`
          : `/admin/customers?open=${id(row.customerId ?? '')}&tab=invoices`,
    })),
}

const domain: Source = {
  permission: 'sites.read',
  async find(ctx) {
    const query = { before: daysAgo(ctx, -30), connection: ctx.cloudflare?.connection ?? null }
    return foundIn(await findEndingDomains(ctx, query, most), (row) => ({
      ...{ id: row.name, about: `domain:${row.name}`, title: row.name, money: row.money },
      detail: `${row.expiresAt.getTime() < ctx.clock() ? 'Expired' : 'Expires'} ${distance(row.expiresAt, ctx.clock())}`,
      at: row.expiresAt.toISOString(),
      link: row.zoneId === null ? `/admin/sites?open=${id(row.siteId)}` : `/admin/domains?open=${id(row.zoneId)}`,
    }))
  },
}

const certificate: Source = {
  permission: 'sites.read',
  find: async (ctx) =>
    foundIn(await findEndingCertificates(ctx, daysAgo(ctx, -14), most), (row) => ({
      ...{ id: row.id, about: `certificate:${row.id}`, title: row.site, money: row.money },
      detail:
        row.status === 'error' || row.expiresAt === null
          ? 'Not trusted'
          : `${row.expiresAt.getTime() < ctx.clock() ? 'Expired' : 'Expires'} ${distance(row.expiresAt, ctx.clock())}`,
      at: (row.expiresAt ?? row.seenAt).toISOString(),
      link: `/admin/sites?open=${id(row.id)}`,
    })),
}

const deployment: Source = {
  permission: 'sites.read',
  find: async (ctx) =>
    foundIn(await findFailedDeployments(ctx, daysAgo(ctx, 7), most), (row) => ({
      ...{ id: row.id, about: `deployment:${row.id}`, title: row.site, detail: row.failure, money: row.money },
      at: row.at.toISOString(),
      link: `/admin/deployments?open=${id(row.id)}&view=log`,
    })),
}

const purchase: Source = {
  permission: 'billing.read',
  find: async (ctx) =>
    foundIn(await findStuckPurchases(ctx, { from: daysAgo(ctx, 30), until: daysAgo(ctx, 1) }, most), (row) => ({
      ...{ id: row.id, about: `purchase:${row.id}` },
      title: siteNameOf({ metadata: row.metadata, payment_description: null, product_name: row.product }),
      detail: row.customer,
      money: row.amount !== null && row.currency !== null ? [{ amount: row.amount, currency: row.currency }] : [],
      at: row.at.toISOString(),
      link: `/admin/purchase-reset?search=${id(row.id)}`,
    })),
}

/** `undelivered:cs_1` is the purchase `cs_1`, `domain:shop.example` that domain. */
const aboutDrift = (driftId: string): string => driftId.replace(/^undelivered:(?=cs_)/, 'purchase:')

const drift: Source = {
  permission: 'sites.read',
  find: async (ctx) =>
    foundIn(await findDriftNeeds(ctx, new Date(ctx.clock()), most), (row) => ({
      ...{ id: row.id, about: aboutDrift(row.id), title: row.title, detail: row.text, money: row.money },
      at: row.since.toISOString(),
      link: `/admin/monitoring/drift?open=${id(row.id)}`,
    })),
}

/** In the order in which they stand where no money tells them apart. */
export const sources: Record<NeedKind, Source> = {
  ...{ incident, past_due: pastDue, failed_payment: failedPayment, domain },
  ...{ certificate, deployment, purchase, drift },
}
