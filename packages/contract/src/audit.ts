import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant, pageQuery, searchText } from './primitives.ts'

export const actorTypes = ['user', 'admin_key', 'api_key', 'job', 'webhook', 'anonymous'] as const
export const auditOutcomes = ['done', 'denied', 'failed'] as const

export const auditEntry = z.object({
  id: z.string(),
  user_id: z.string(),
  user_name: z.string(),
  actor_type: z.enum(actorTypes),
  /** `<entity>.<verb>` */
  action: z.string(),
  /** What it was done to: the kind of thing, and which one. */
  resource: z.string(),
  resource_id: z.string().nullable(),
  outcome: z.enum(auditOutcomes),
  /** One sentence. */
  details: z.string(),
  ip_address: z.string().nullable(),
  request_id: z.string().nullable(),
  created_at: instant,
  /** The page of the console that shows the resource, or null. */
  link: z.string().nullable(),
  /** How many entries the deed has; 1 in a list of entries. */
  steps: z.int().min(1),
})
export type AuditEntry = z.output<typeof auditEntry>

/** One state of a deed, such as requested or done. */
export const auditStep = auditEntry.pick({
  id: true,
  created_at: true,
  details: true,
  user_name: true,
  actor_type: true,
  outcome: true,
})
export type AuditStep = z.output<typeof auditStep>

/** What the index can find: three letters or digits in a row, or any letter of another script. */
const isFindable = (text: string): boolean => text === '' || /[a-z0-9]{3}|[^ -~]/i.test(text)

const filters = {
  /** In the actor's name, the action, the kind and id of the resource, and the names of customers, sites and people. */
  search: searchText.refine(isFindable, { error: 'must have three letters or digits in a row' }).optional(),
  actor_type: z.enum(actorTypes).optional(),
  actor: z.string().max(64).optional(),
  action: z.string().max(80).optional(),
  resource: z.string().max(60).optional(),
  resource_id: z.string().max(255).optional(),
  outcome: z.enum(auditOutcomes).optional(),
  address: z.string().max(64).optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
}

export const listAudit = endpoint({
  method: 'GET',
  path: '/admin/audit',
  permission: 'admin.system',
  summary: 'The audit log, newest first; with group=deed all entries of one deed, such as a refund, are one line',
  query: z.strictObject({ ...pageQuery(50), ...filters, group: z.literal('deed').optional() }),
  response: z.object({ entries: z.array(auditEntry), has_more: z.boolean() }),
  topics: ['audit'],
})

export const auditDifference = z.object({
  path: z.string(),
  before: z.unknown().nullable(),
  after: z.unknown().nullable(),
  kind: z.enum(['added', 'removed', 'changed', 'same']),
})

export const getAuditEntry = endpoint({
  method: 'GET',
  path: '/admin/audit/entries/:id',
  permission: 'admin.system',
  summary: 'One entry with what it changed and its place in the chain',
  params: idParams,
  response: z.object({
    entry: auditEntry,
    user_agent: z.string().nullable(),
    before: z.unknown().nullable(),
    after: z.unknown().nullable(),
    differences: z.array(auditDifference),
    chain: z.object({ seq: z.int(), hash: z.string(), previous_hash: z.string() }).nullable(),
    newer_id: z.string().nullable(),
    older_id: z.string().nullable(),
    /** The deed as one line, as a list of deeds shows it. */
    deed: auditEntry,
    /** All states of the deed that the entry is one of, from first to last; empty where it is the only one. */
    steps: z.array(auditStep),
  }),
})

export const listAuditFacets = endpoint({
  method: 'GET',
  path: '/admin/audit/facets',
  permission: 'admin.system',
  summary: 'Which actions and kinds of resources the log knows',
  response: z.object({ actions: z.array(z.string()), resources: z.array(z.string()) }),
  topics: ['audit'],
})

export const auditFilters = z.strictObject(filters)

export const auditVerification = z.object({
  id: z.string(),
  /** `no_anchor`: the entries fit together, but nothing outside the database proves that they are the ones of before. */
  state: z.enum(['running', 'intact', 'broken', 'no_anchor', 'cancelled', 'failed']),
  started_at: instant,
  finished_at: instant.nullable(),
  started_by: z.string(),
  total: count,
  checked: count,
  finding: z
    .object({
      kind: z.enum(['altered', 'missing', 'cut', 'unchained', 'head', 'anchor', 'no_anchor']),
      /** Place in the chain of the first entry that is wrong. */
      seq: z.int().nullable(),
      entry_id: z.string().nullable(),
      message: z.string(),
    })
    .nullable(),
})
export type AuditVerification = z.output<typeof auditVerification>

export const getAuditChain = endpoint({
  method: 'GET',
  path: '/admin/audit/chain',
  permission: 'admin.system',
  summary: 'The head of the chain and the last verification',
  response: z.object({
    head: z.object({ seq: count, hash: z.string() }),
    verification: auditVerification.nullable(),
  }),
  topics: ['audit'],
})

export const verifyAudit = endpoint({
  method: 'POST',
  path: '/admin/audit/verify',
  permission: 'admin.system',
  summary: 'Walk the whole chain and name the first entry that was altered or is missing',
  body: z.strictObject({}).nullish(),
  response: z.object({ verification: auditVerification }),
})

export const cancelAuditVerification = endpoint({
  method: 'POST',
  path: '/admin/audit/verify/cancel',
  permission: 'admin.system',
  summary: 'Stop the verification that runs',
  body: z.strictObject({}).nullish(),
  response: z.object({ verification: auditVerification }),
})
