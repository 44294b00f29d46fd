import { z } from 'zod'
import { auditStep } from './audit.ts'
import { endpoint } from './endpoint.ts'
import { permissions } from './permissions.ts'
import { currency, idParams, instant, listOf, minorUnits, pageQuery, searchText } from './primitives.ts'

export const timelineKinds = [
  'payment',
  'refund',
  'dispute',
  'invoice',
  'subscription',
  'purchase',
  'deployment',
  'alert',
  'action',
  'note',
  'mail',
] as const
export const timelineKind = z.enum(timelineKinds)
export type TimelineKind = z.output<typeof timelineKind>

export const timelineEntry = z.object({
  id: z.string(),
  at: instant,
  kind: timelineKind,
  title: z.string(),
  detail: z.string().nullable(),
  /** Who did it, where it was somebody of the console. */
  actor: z.string().nullable(),
  status: z.string().nullable(),
  /** Of a deployment: the site serves its build now. */
  is_live: z.boolean(),
  amount: minorUnits.nullable(),
  currency: currency.nullable(),
  /** Where the console shows what it is about. */
  path: z.string().nullable(),
  /** The states of what was done here, from first to last; empty where there is only one. */
  steps: z.array(auditStep),
})
export type TimelineEntry = z.output<typeof timelineEntry>

const cursor = z.string().min(1).max(1000).optional()

export const listTimeline = endpoint({
  method: 'GET',
  path: '/stripe/customers/:id/activity',
  permission: 'customers.read',
  summary:
    'What happened with a customer, newest first: money, invoices, subscriptions, purchases, deployments, alerts, what was done here, notes and mails; kinds that the caller may not read are left out',
  params: idParams,
  query: z.strictObject({
    limit: pageQuery(25).limit,
    /** Only these kinds, separated by commas. */
    kinds: listOf(timelineKind).optional(),
    /** In names of sites and people, ids, reasons and states. */
    search: searchText.optional(),
    /** The `next` of an answer: what came before it. */
    before: cursor,
    /** The `previous` of an answer: what came after it. */
    after: cursor,
    /** Starts with the newest entry before this moment. */
    until: instant.refine((at) => !at.startsWith('0000'), 'must be a moment since the year 1').optional(),
  }),
  response: z.object({
    entries: z.array(timelineEntry),
    has_more: z.boolean(),
    /** Leads to older entries, null where there are none. */
    next: z.string().nullable(),
    /** Leads to newer entries, null where there are none. */
    previous: z.string().nullable(),
    /** Kinds that are left out, with the permission that they need. */
    hidden: z.array(z.object({ kind: timelineKind, permission: z.enum(permissions) })),
  }),
  topics: [
    'customers',
    'subscriptions',
    'payments',
    'invoices',
    'purchases',
    'audit',
    'notes',
    'mails',
    'deployments',
    'alerts',
  ],
  isPersonal: true,
})
