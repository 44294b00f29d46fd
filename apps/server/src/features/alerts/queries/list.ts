import type { alerts } from '@agency/contract'
import type { Alert, AlertDetails } from '@agency/contract/alerts'
import type { QueryOf } from '@agency/contract/endpoint'
import type { Pool } from 'pg'
import { type List, readPage } from '../../../platform/keyset.ts'
import { literal, runStatement, Values } from '../../../platform/statements.ts'
import { searchTerm } from '../../billing/index.ts'
import { ruleDefinitions } from '../rules.ts'

export type AlertsQuery = QueryOf<typeof alerts.listAlerts>

/** The rank first, the time within it: severity outweighs any date. */
const severityRank = `array_position(array['info', 'warning', 'error', 'critical'], a.severity)`
const sortKeys: Record<AlertsQuery['sort'], string> = {
  severity: `(${severityRank} * 1e12 + extract(epoch from a.opened_at))`,
  newest: 'a.opened_at',
  money: 'a.mrr_at_risk',
}

const ruleName = `case a.rule ${ruleDefinitions.map(({ key, name }) => `when '${key}' then '${name.replaceAll("'", "''")}'`).join(' ')} else a.rule end`

/** The customers of the sites that an alert or an incident is about, each once. */
const customersOf = (sites: string) => `(
  select distinct s.customer_id from (${sites}) t join sites s on s.id = t.site_id where s.customer_id is not null
)`

/** What they pay a month and what renews soon, by currency; `now` is a placeholder. */
const moneyOf = (sites: string, now: string): string => `(
  select coalesce(json_agg(json_build_object('currency', m.currency, 'mrr', m.mrr, 'renewals_7d', m.week,
    'renewals_30d', m.month) order by m.mrr desc, m.currency), '[]') from (
    select sub.currency, round(sum(sub.mrr))::bigint as mrr,
      coalesce(sum(sub.amount) filter (where sub.renews and sub.current_period_end <= ${now}::timestamptz + interval '7 days'), 0)::bigint as week,
      coalesce(sum(sub.amount) filter (where sub.renews and sub.current_period_end <= ${now}::timestamptz + interval '30 days'), 0)::bigint as month
    from ${customersOf(sites)} c
    join lateral (
      select b.currency, b.mrr, b.amount, b.current_period_end, b.status in ('active', 'trialing', 'past_due')
        and b.pause_collection is null and not b.cancel_at_period_end
        and (b.cancel_at is null or b.cancel_at > b.current_period_end)
        and b.current_period_end > ${now}::timestamptz as renews
      from subscriptions b where b.customer_id = c.customer_id and b.deleted_at is null
    ) sub on true
    group by sub.currency
    having sum(sub.mrr) <> 0 or bool_or(sub.renews)
  ) m
)`

export type Shown = { seesMoney: boolean; now: Date }

/** The revenue of the customers whose sites these are; nothing for whoever may not see money. */
export const moneyFor = (values: Values, { seesMoney, now }: Shown, sites: string): string =>
  seesMoney ? moneyOf(sites, values.add(now)) : 'null::json'

export const countCustomers = (sites: string): string => `(select count(*) from ${customersOf(sites)} c)`

const sitesOfAlert = 'select site_id from alert_sites where alert_id = a.id'

/** An alert as it goes over the wire; money only for whoever may see it. */
const alertColumns = (money: string): string => `
  a.id, a.rule, ${ruleName} as rule_name, a.subject, a.subject_id, a.subject_name, a.link, a.severity, a.status,
  a.title, a.detail, iso_utc(a.opened_at) as opened_at, iso_utc(a.last_seen_at) as last_seen_at,
  iso_utc(a.acknowledged_at) as acknowledged_at, a.acknowledged_by, iso_utc(a.snoozed_until) as snoozed_until,
  a.assignee_id, u.name as assignee_name, iso_utc(a.resolved_at) as resolved_at, a.resolved_by, a.reopened,
  a.is_flapping, a.cause_id, (select count(*) from alerts c where c.cause_id = a.id) as children, a.incident_id,
  i.number as incident_number, (select count(*) from alert_sites t where t.alert_id = a.id) as affected_sites,
  ${countCustomers(sitesOfAlert)} as affected_customers,
  ${money} as at_risk`

const alertJoins = 'left join users u on u.id = a.assignee_id left join incidents i on i.id = a.incident_id'

function conditionsOf({ status, severity, rule }: AlertsQuery, values: Values): string[] {
  const where: string[] = []
  if (status === 'active') where.push(`a.status <> 'resolved'`)
  else if (status !== 'all') where.push(`a.status = ${literal(status)}`)
  const severities = severity?.filter((one) => one !== 'all') ?? []
  if (severities.length > 0) where.push(`a.severity in (${severities.map(literal).join(', ')})`)
  if (rule !== undefined) where.push(`a.rule = ${values.add(rule)}`)
  return where
}

export async function findAlerts(pool: Pool, query: AlertsQuery, { seesMoney, now }: Shown): Promise<string> {
  const values = new Values()
  const money = moneyFor(values, { seesMoney, now }, sitesOfAlert)
  // What is part of a larger failure is found in that one.
  const where = ['a.cause_id is null', ...conditionsOf(query, values)]
  const term = searchTerm(values, query.search)
  if (term) where.push(`search_fold(a.title || E'\\n' || a.subject_name) like ${term.pattern}`)
  const list: List = {
    table: 'alerts',
    alias: 'a',
    order: { from: 'alerts a', key: sortKeys[query.sort], id: 'a.id', isWhole: true },
    isDescending: true,
    where,
    columns: alertColumns(money),
    joins: alertJoins,
    total: `(select count(*) from alerts a where ${where.join(' and ')})`,
    values,
    isPrepared: false,
  }
  return readPage(pool, 'alerts', list, query)
}

const countsText = `select count(*) as active, count(*) filter (where status = 'open') as open,
    count(*) filter (where status = 'acknowledged') as acknowledged,
    count(*) filter (where status = 'snoozed') as snoozed,
    count(*) filter (where severity = 'critical') as critical, count(*) filter (where severity = 'error') as error,
    count(*) filter (where severity = 'warning') as warning, count(*) filter (where severity = 'info') as info
  from alerts where status <> 'resolved' and cause_id is null`

export async function countAlerts(pool: Pool): Promise<Record<string, number>> {
  const [counts] = await runStatement<Record<string, number>>(pool, { text: countsText, values: [], prepare: true })
  return counts ?? {}
}

/** Some alerts as they go over the wire, oldest first. */
export async function findAlertsBy(
  pool: Pool,
  column: 'id' | 'incident_id',
  value: string,
  { seesMoney, now }: Shown,
): Promise<Alert[]> {
  const values = new Values()
  const money = moneyFor(values, { seesMoney, now }, sitesOfAlert)
  const text = `select ${alertColumns(money)} from alerts a ${alertJoins}
    where a.${column} = ${values.add(value)} order by a.opened_at, a.id limit 500`
  return runStatement<Alert>(pool, { text, values: values.list })
}

export async function findChildren(pool: Pool, id: string): Promise<AlertDetails['child_alerts']> {
  const text = `select id, title, subject_name, link, status from alerts where cause_id = $1
    order by resolved_at is not null, opened_at, id limit 100`
  return runStatement(pool, { text, values: [id] })
}

export async function findEvents(pool: Pool, id: string): Promise<AlertDetails['events']> {
  const text = `select id, iso_utc(at) as at, kind, actor, text from alert_events where alert_id = $1 order by position`
  return runStatement(pool, { text, values: [id] })
}
