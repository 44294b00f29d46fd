import { inTransaction, type RequestContext, type TransactionContext } from '../../context.ts'
import type { Condition } from './condition.ts'
import { findConditions } from './conditions.ts'
import { findCauses } from './grouping.ts'
import { sendNotices } from './notices.ts'
import {
  type AlertRow,
  addSites,
  findActive,
  findEnded,
  insertAlert,
  insertEvent,
  lockAlerts,
  patchAlert,
  refreshMoney,
  touchSeen,
} from './queries/alerts.ts'
import { findDownSites, findPopulation } from './queries/population.ts'
import { findRules } from './queries/rules.ts'
import { findUnknown } from './queries/unknown.ts'
import type { Rule } from './rules.ts'

const hourMs = 3_600_000
/** One that ended so recently is the same one again. */
const sameWithinMs = 10 * 60_000
/** So often within an hour, and it is told no more until it stayed away for a while. */
const flapsFrom = 3
const staysAwayMs = 10 * 60_000

/** What changed in one evaluation, for whoever follows it in the same transaction. */
export type Evaluated = { opened: string[]; reopened: string[]; resolved: string[] }
export type Follow = (tx: TransactionContext, evaluated: Evaluated) => Promise<void>

type Key = Pick<AlertRow, 'rule' | 'subject' | 'subject_id'>
const keyOf = ({ rule, subject, subject_id }: Key) => `${rule} ${subject} ${subject_id}`
const keyOfCondition = ({ rule, subject, subjectId }: Condition) => keyOf({ rule, subject, subject_id: subjectId })

type Pass = {
  tx: TransactionContext
  rules: ReadonlyMap<string, Rule>
  active: Map<string, AlertRow>
  ended: Map<string, AlertRow>
  evaluated: Evaluated
}

/**
 * Compares what is wrong now with the alerts that stand, and opens, updates and ends these until both agree; then sends
 * what is to be told. It looks at states, not at events, so nothing is missed when a process dies in between.
 */
export async function evaluate(ctx: RequestContext, follow: Follow): Promise<void> {
  const rules = await findRules(ctx)
  const conditions = await findConditions(ctx, rules)
  await inTransaction(ctx, async (tx) => {
    await lockAlerts(tx)
    const byKey = (rows: readonly AlertRow[]) => new Map(rows.map((row) => [keyOf(row), row]))
    const pass: Pass = {
      tx,
      rules: new Map(rules.map((rule) => [rule.key, rule])),
      active: byKey(await findActive(tx)),
      ended: byKey(await findEnded(tx, new Date(tx.clock() - hourMs))),
      evaluated: { opened: [], reopened: [], resolved: [] },
    }
    const causes = await groupDown(pass, conditions)
    const all = [...causes.conditions, ...conditions]
    await wakeSnoozed(pass)
    for (const condition of all) await keep(pass, condition, causes.of.get(condition.subjectId) ?? null)
    await touchSeen(tx, seenIds(pass, all), new Date(tx.clock()))
    await endUnseen(pass, new Set(all.map(keyOfCondition)))
    await refreshMoney(tx)
    await follow(tx, pass.evaluated)
    await sendNotices(tx, pass.rules)
  })
}

const seenIds = ({ active }: Pass, conditions: readonly Condition[]): string[] =>
  conditions.flatMap((condition) => active.get(keyOfCondition(condition))?.id ?? [])

type Causes = { conditions: Condition[]; of: Map<string, string> }

/** A cause stands as long as one of the sites that it was found for is down. */
async function groupDown(pass: Pass, conditions: readonly Condition[]): Promise<Causes> {
  const { tx, active } = pass
  const causes: Causes = { conditions: [], of: new Map() }
  if (!pass.rules.get('sites.common_cause')?.isEnabled) return causes
  const down = conditions.filter(({ rule, isSilenced }) => rule === 'site.down' && !isSilenced)
  if (down.length === 0) return causes
  const standing = new Map<string, string[]>()
  const free: string[] = []
  for (const condition of down) {
    const cause = active.get(keyOfCondition(condition))?.cause_id ?? null
    if (cause === null) free.push(condition.subjectId)
    else standing.set(cause, [...(standing.get(cause) ?? []), condition.subjectId])
  }
  const sites = await findDownSites(
    tx,
    down.map(({ subjectId }) => subjectId),
  )
  const found = findCauses(sites, await findPopulation(tx, sites))
  const names = new Map(sites.map(({ siteId, name }) => [siteId, name]))
  const rows = [...active.values()].filter(({ rule }) => rule === 'sites.common_cause')
  const keys = new Set([
    ...found.map(({ key }) => key),
    ...rows.filter((row) => standing.has(row.id)).map((row) => row.subject_id),
  ])
  for (const key of keys) {
    const row = rows.find(({ subject_id }) => subject_id === key)
    const fresh = found.find((cause) => cause.key === key)
    const held = row ? (standing.get(row.id) ?? []) : []
    const siteIds = [
      ...new Set([...held, ...(fresh?.siteIds.filter((id) => free.includes(id) || held.includes(id)) ?? [])]),
    ]
    if (siteIds.length === 0) continue
    causes.conditions.push(commonCause(key, fresh?.name ?? row?.subject_name ?? key, siteIds, names))
    for (const id of siteIds) causes.of.set(id, key)
  }
  return causes
}

const shownNames = 5

function commonCause(key: string, name: string, siteIds: string[], names: ReadonlyMap<string, string>): Condition {
  const known = siteIds.map((id) => names.get(id) ?? id)
  const more = known.length > shownNames ? ` and ${known.length - shownNames} more` : ''
  const scope = key === 'all' ? '' : ` of ${name}`
  return {
    rule: 'sites.common_cause',
    subject: 'sites',
    subjectId: key,
    subjectName: name,
    link: '/admin/monitoring/sites?health=down',
    title: `${siteIds.length} ${siteIds.length === 1 ? 'site' : 'sites'}${scope} down`,
    detail: `${known.slice(0, shownNames).join(', ')}${more}`,
    siteIds,
  }
}

/** Opens, reopens or updates the alert of a condition. */
async function keep(pass: Pass, condition: Condition, causeKey: string | null): Promise<void> {
  const { tx, rules, active, ended } = pass
  const key = keyOfCondition(condition)
  const severity = rules.get(condition.rule)?.inForce ?? 'warning'
  const cause =
    condition.rule === 'site.down' && causeKey !== null ? active.get(`sites.common_cause sites ${causeKey}`) : undefined
  const facts = {
    severity,
    ...{ title: condition.title, detail: condition.detail, subject_name: condition.subjectName, link: condition.link },
    is_silenced: condition.isSilenced ?? false,
  }
  const row = active.get(key)
  if (row) {
    await update(pass, row, { ...facts, cause_id: row.cause_id ?? cause?.id ?? null }, condition.siteIds)
    return
  }
  const last = ended.get(key)
  if (last?.is_seen_still) return
  const now = tx.clock()
  if (last?.resolved_at && now - last.resolved_at.getTime() < sameWithinMs) {
    await reopen(pass, last, { ...facts, cause_id: cause?.id ?? null }, condition.siteIds)
    return
  }
  const id = await insertAlert(
    tx,
    {
      ...facts,
      ...{ rule: condition.rule, subject: condition.subject, subject_id: condition.subjectId },
      cause_id: cause?.id ?? null,
    },
    condition.siteIds,
  )
  await insertEvent(tx, id, { kind: 'opened', actor: null, text: `${condition.title}. ${condition.detail}` })
  active.set(key, { ...newRow(id, condition), ...facts, opened_at: new Date(now), cause_id: cause?.id ?? null })
  pass.evaluated.opened.push(id)
}

const newRow = (id: string, { rule, subject, subjectId }: Condition): AlertRow => ({
  ...{ id, rule, subject, subject_id: subjectId, subject_name: '', link: null, severity: 'info', status: 'open' },
  ...{ title: '', detail: '', opened_at: new Date(0), clear_since: null, acknowledged_at: null, snoozed_until: null },
  ...{ assignee_id: null, resolved_at: null, resolved_by: null, is_seen_still: false, reopened: 0 },
  ...{
    first_reopened_at: null,
    is_flapping: false,
    is_silenced: false,
    notified_at: null,
    cause_id: null,
    incident_id: null,
  },
})

type Facts = Pick<AlertRow, 'severity' | 'title' | 'detail' | 'subject_name' | 'link' | 'is_silenced' | 'cause_id'>

async function update({ tx }: Pass, row: AlertRow, facts: Facts, siteIds: readonly string[]): Promise<void> {
  const changed = (Object.keys(facts) as (keyof Facts)[]).filter((name) => row[name] !== facts[name])
  if (changed.length > 0) await patchAlert(tx, row.id, facts)
  if (changed.includes('severity'))
    await insertEvent(tx, row.id, {
      kind: 'changed',
      actor: null,
      text: `Severity ${row.severity} → ${facts.severity}`,
    })
  if (changed.includes('cause_id') && facts.cause_id !== null)
    await insertEvent(tx, row.id, { kind: 'grouped', actor: null, text: 'Part of a larger failure' })
  // An alert about one site is about that one for ever.
  if (row.subject === 'sites') await addSites(tx, row.id, siteIds)
  Object.assign(row, facts)
}

async function reopen(pass: Pass, last: AlertRow, facts: Facts, siteIds: readonly string[]): Promise<void> {
  const { tx, active, ended, evaluated } = pass
  const now = tx.clock()
  const isSameHour = last.first_reopened_at !== null && now - last.first_reopened_at.getTime() < hourMs
  const reopened = isSameHour ? last.reopened + 1 : 1
  const row = {
    ...{
      ...last,
      ...facts,
      status: 'open' as const,
      resolved_at: null,
      resolved_by: null,
      clear_since: null,
      reopened,
    },
    first_reopened_at: isSameHour ? last.first_reopened_at : new Date(now),
    is_flapping: reopened >= flapsFrom,
    ...{ acknowledged_at: null, snoozed_until: null },
    notified_at: reopened >= flapsFrom ? last.notified_at : null,
  }
  const { id: _, rule: _rule, subject: _subject, subject_id: _subjectId, ...patch } = row
  await patchAlert(tx, last.id, { ...patch, acknowledged_by: null })
  await addSites(tx, last.id, siteIds)
  const text = row.is_flapping
    ? `Reopened ${reopened} times within an hour: no more notices until the alert stays resolved`
    : facts.detail
  await insertEvent(tx, last.id, { kind: 'reopened', actor: null, text })
  ended.delete(keyOf(last))
  active.set(keyOf(last), row)
  evaluated.reopened.push(last.id)
}

async function wakeSnoozed({ tx, active }: Pass): Promise<void> {
  for (const row of active.values()) {
    if (row.snoozed_until === null || row.snoozed_until.getTime() > tx.clock()) continue
    Object.assign(row, { status: 'open', snoozed_until: null, notified_at: null })
    await patchAlert(tx, row.id, { status: 'open', snoozed_until: null, notified_at: null })
    await insertEvent(tx, row.id, {
      kind: 'reopened',
      actor: null,
      text: 'Snooze ended, the cause is still there',
    })
  }
}

/** What is not seen any more ends; one that flaps only after it stayed away. What was ended by hand may come back now. */
async function endUnseen({ tx, rules, active, ended, evaluated }: Pass, seen: ReadonlySet<string>): Promise<void> {
  const now = new Date(tx.clock())
  const unknown = await findUnknown(tx, tx.clock())
  for (const [key, row] of active) {
    const isOff = rules.get(row.rule)?.isEnabled === false
    if (seen.has(key) || (unknown.has(row.id) && !isOff)) continue
    const clearSince = row.clear_since ?? now
    if (row.is_flapping && now.getTime() - clearSince.getTime() < staysAwayMs) {
      if (row.clear_since === null) await patchAlert(tx, row.id, { clear_since: now })
      continue
    }
    await patchAlert(tx, row.id, { status: 'resolved', resolved_at: now, resolved_by: null, snoozed_until: null })
    await insertEvent(tx, row.id, {
      kind: 'resolved',
      actor: null,
      text: isOff ? 'The rule was switched off' : 'No longer seen',
    })
    evaluated.resolved.push(row.id)
  }
  for (const [key, row] of ended) {
    if (row.is_seen_still && !seen.has(key)) await patchAlert(tx, row.id, { is_seen_still: false })
  }
}
