import { randomUUID } from 'node:crypto'
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
  insertAlerts,
  insertEvents,
  lockAlerts,
  type NewEvent,
  refreshMoney,
  touchSeen,
  writeAlerts,
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
  /** What is to be written down, all at once. */
  opened: AlertRow[]
  changed: Set<AlertRow>
  joined: Map<string, readonly string[]>
  events: (NewEvent & { alert_id: string })[]
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
      ...{ opened: [], changed: new Set(), joined: new Map(), events: [] },
    }
    const causes = await groupDown(pass, conditions)
    const all = [...causes.conditions, ...conditions]
    wakeSnoozed(pass)
    for (const condition of all) keep(pass, condition, causes.of.get(condition.subjectId) ?? null)
    const seen = seenIds(pass, all)
    endUnseen(pass, new Set(all.map(keyOfCondition)), await findUnknown(tx, tx.clock()))
    await write(pass)
    await touchSeen(tx, seen, new Date(tx.clock()))
    await refreshMoney(tx)
    await follow(tx, pass.evaluated)
  })
  await sendNotices(ctx, rules)
}

async function write({ tx, opened, changed, joined, events }: Pass): Promise<void> {
  await insertAlerts(tx, opened)
  await writeAlerts(tx, changed)
  await addSites(tx, joined)
  await insertEvents(tx, events)
}

const tell = (pass: Pass, { id }: AlertRow, kind: NewEvent['kind'], text: string): void => {
  pass.events.push({ alert_id: id, kind, actor: null, text })
}

function change(pass: Pass, row: AlertRow, patch: Partial<AlertRow>): void {
  Object.assign(row, patch)
  pass.changed.add(row)
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
function keep(pass: Pass, condition: Condition, causeKey: string | null): void {
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
    update(pass, row, { ...facts, cause_id: row.cause_id ?? cause?.id ?? null }, condition.siteIds)
    return
  }
  const last = ended.get(key)
  if (last?.is_seen_still) return
  const now = tx.clock()
  if (last?.resolved_at && now - last.resolved_at.getTime() < sameWithinMs) {
    reopen(pass, last, { ...facts, cause_id: cause?.id ?? null }, condition.siteIds)
    return
  }
  const opened = { ...newRow(condition), ...facts, opened_at: new Date(now), cause_id: cause?.id ?? null }
  pass.opened.push(opened)
  pass.joined.set(opened.id, condition.siteIds)
  tell(pass, opened, 'opened', `${condition.title}. ${condition.detail}`)
  active.set(key, opened)
  pass.evaluated.opened.push(opened.id)
}

const newRow = ({ rule, subject, subjectId }: Condition): AlertRow => ({
  ...{ id: `alert_${randomUUID()}`, rule, subject, subject_id: subjectId, subject_name: '', link: null },
  ...{ severity: 'info', status: 'open', title: '', detail: '', opened_at: new Date(0), clear_since: null },
  ...{ acknowledged_at: null, snoozed_until: null, assignee_id: null, resolved_at: null, resolved_by: null },
  ...{ is_seen_still: false, reopened: 0, first_reopened_at: null, is_flapping: false, is_silenced: false },
  ...{ notified_at: null, cause_id: null, incident_id: null },
})

type Facts = Pick<AlertRow, 'severity' | 'title' | 'detail' | 'subject_name' | 'link' | 'is_silenced' | 'cause_id'>

function update(pass: Pass, row: AlertRow, facts: Facts, siteIds: readonly string[]): void {
  const { severity } = row
  const changed = (Object.keys(facts) as (keyof Facts)[]).filter((name) => row[name] !== facts[name])
  if (changed.length > 0) change(pass, row, facts)
  if (changed.includes('severity')) tell(pass, row, 'changed', `Severity ${severity} → ${facts.severity}`)
  if (changed.includes('cause_id') && facts.cause_id !== null) tell(pass, row, 'grouped', 'Part of a larger failure')
  // An alert about one site is about that one for ever.
  if (row.subject === 'sites') pass.joined.set(row.id, siteIds)
}

function reopen(pass: Pass, last: AlertRow, facts: Facts, siteIds: readonly string[]): void {
  const { tx, active, ended, evaluated } = pass
  const now = tx.clock()
  const isSameHour = last.first_reopened_at !== null && now - last.first_reopened_at.getTime() < hourMs
  const reopened = isSameHour ? last.reopened + 1 : 1
  change(pass, last, {
    ...facts,
    ...{ status: 'open', resolved_at: null, resolved_by: null, clear_since: null, reopened },
    first_reopened_at: isSameHour ? last.first_reopened_at : new Date(now),
    is_flapping: reopened >= flapsFrom,
    ...{ acknowledged_at: null, snoozed_until: null },
    notified_at: reopened >= flapsFrom ? last.notified_at : null,
  })
  pass.joined.set(last.id, siteIds)
  const text = last.is_flapping
    ? `Reopened ${reopened} times within an hour: no more notices until the alert stays resolved`
    : facts.detail
  tell(pass, last, 'reopened', text)
  ended.delete(keyOf(last))
  active.set(keyOf(last), last)
  evaluated.reopened.push(last.id)
}

function wakeSnoozed(pass: Pass): void {
  for (const row of pass.active.values()) {
    if (row.snoozed_until === null || row.snoozed_until.getTime() > pass.tx.clock()) continue
    change(pass, row, { status: 'open', snoozed_until: null, notified_at: null })
    tell(pass, row, 'reopened', 'Snooze ended, the cause is still there')
  }
}

/** What is not seen any more ends; one that flaps only after it stayed away. What was ended by hand may come back now. */
function endUnseen(pass: Pass, seen: ReadonlySet<string>, unknown: ReadonlySet<string>): void {
  const { tx, rules, active, ended, evaluated } = pass
  const now = new Date(tx.clock())
  for (const [key, row] of active) {
    const isOff = rules.get(row.rule)?.isEnabled === false
    if (seen.has(key) || (unknown.has(row.id) && !isOff)) continue
    const clearSince = row.clear_since ?? now
    if (row.is_flapping && now.getTime() - clearSince.getTime() < staysAwayMs) {
      if (row.clear_since === null) change(pass, row, { clear_since: now })
      continue
    }
    change(pass, row, { status: 'resolved', resolved_at: now, resolved_by: null, snoozed_until: null })
    tell(pass, row, 'resolved', isOff ? 'The rule was switched off' : 'No longer seen')
    evaluated.resolved.push(row.id)
  }
  for (const [key, row] of ended) {
    if (row.is_seen_still && !seen.has(key)) change(pass, row, { is_seen_still: false })
  }
}
