import { z } from 'zod'
import type { Asked } from './queries/audience.ts'
import { type Cause, type Rule, type Subject, type Verdict, verdictOf } from './rollout.ts'
import type { Known } from './store.ts'

// https://github.com/open-feature/protocol/blob/main/service/openapi.yaml

type ErrorCode = 'PARSE_ERROR' | 'TARGETING_KEY_MISSING' | 'INVALID_CONTEXT' | 'FLAG_NOT_FOUND' | 'GENERAL'
export type Failure = { errorCode: ErrorCode; errorDetails: string }

const isText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
const word = z.string().max(255).refine(isText)
const host = word.transform((name) => name.trim().toLowerCase().replace(/\.$/, ''))

/** Sites may say much more of who asks than is of use here. */
const context = z.object({
  targetingKey: z.union([z.string().max(1000).refine(isText), z.number().transform(String)]).optional(),
  site: word.optional(),
  domain: host.optional(),
  customer: word.optional(),
  plan: z.union([word.transform((plan) => [plan]), z.array(word).max(50)]).optional(),
})

type Asking = { key: string | null; plans: readonly string[]; who: Asked }

/** Who asks, as the body of a call says it. */
export function readAsking(body: unknown): Asking | Failure {
  let parsed: unknown
  try {
    parsed = JSON.parse(typeof body === 'string' ? body : '')
  } catch {
    return { errorCode: 'PARSE_ERROR', errorDetails: 'The body is not JSON' }
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return { errorCode: 'INVALID_CONTEXT', errorDetails: 'The body must be an object with a context' }
  const given = context.safeParse((parsed as { context?: unknown }).context ?? {})
  if (!given.success) {
    const field = given.error.issues[0]?.path.join('.')
    return {
      errorCode: 'INVALID_CONTEXT',
      errorDetails: field ? `context.${field} is not valid` : 'context must be an object',
    }
  }
  const { targetingKey, site, domain, customer, plan = [] } = given.data
  return {
    key: targetingKey === undefined || targetingKey === '' ? null : targetingKey,
    plans: plan,
    who: { site: site ?? null, domain: domain?.replace(/^www\./, '') ?? null, customer: customer ?? null },
  }
}

const reasons: Record<Cause, string> = {
  off: 'DISABLED',
  prerequisite: 'TARGETING_MATCH',
  never: 'TARGETING_MATCH',
  always: 'TARGETING_MATCH',
  everyone: 'STATIC',
  nobody: 'STATIC',
  in: 'SPLIT',
  out: 'SPLIT',
  unknown: 'SPLIT',
}

const missing: Failure = {
  errorCode: 'TARGETING_KEY_MISSING',
  errorDetails: 'The flag is on for a part of the visitors: name the visitor as targetingKey',
}

/** The name needs no escape: it is made of letters, digits, dots, dashes and underscores. */
function textOf({ name }: Rule, verdict: Verdict): string {
  if (verdict === 'key_missing')
    return `{"key":"${name}","errorCode":"${missing.errorCode}","errorDetails":"${missing.errorDetails}"}`
  const { value, cause } = verdict
  return `{"key":"${name}","reason":"${reasons[cause]}","variant":"${value ? 'on' : 'off'}","value":${value}}`
}

export const evaluateAll = ({ list, byId }: Known, subject: Subject): string =>
  `{"flags":[${list.map((rule) => textOf(rule, verdictOf(rule, subject, byId))).join(',')}]}`

export function evaluateOne({ byId }: Known, rule: Rule, subject: Subject): { status: 200 | 400; text: string } {
  const verdict = verdictOf(rule, subject, byId)
  return { status: verdict === 'key_missing' ? 400 : 200, text: textOf(rule, verdict) }
}
