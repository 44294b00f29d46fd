import type { incidents } from '@agency/contract'
import type { QueryOf } from '@agency/contract/endpoint'
import type { Incident, IncidentEvent } from '@agency/contract/incidents'
import type { Pool } from 'pg'
import { type List, readPage } from '../../../platform/keyset.ts'
import { literal, runStatement, Values } from '../../../platform/statements.ts'
import { countCustomers, moneyFor, type Shown } from '../../alerts/index.ts'
import { searchTerm } from '../../billing/index.ts'

export type IncidentsQuery = QueryOf<typeof incidents.listIncidents>

const sitesOfIncident = `select distinct t.site_id from alerts a join alert_sites t on t.alert_id = a.id
  where a.incident_id = i.id`

const sortKeys: Record<IncidentsQuery['sort'], string> = {
  newest: 'i.opened_at',
  severity: `((4 - right(i.severity, 1)::integer) * 1e12 + extract(epoch from i.opened_at))`,
  money: `coalesce((select max(a.mrr_at_risk) from alerts a where a.incident_id = i.id), 0)`,
}

const columns = (money: string): string => `
  i.id, i.number, i.severity, i.status, i.title, iso_utc(i.opened_at) as opened_at, i.opened_by,
  iso_utc(i.resolved_at) as resolved_at, i.resolved_by, i.assignee_id, u.name as assignee_name, i.is_false_positive,
  i.merged_into,
  (select count(*) from alerts a where a.incident_id = i.id and a.status <> 'resolved') as active_alerts,
  (select count(*) from (${sitesOfIncident}) t) as affected_sites,
  ${countCustomers(sitesOfIncident)} as affected_customers,
  ${money} as at_risk, i.version`

const joins = 'left join users u on u.id = i.assignee_id'

function conditionsOf({ status, severity }: IncidentsQuery): string[] {
  const where: string[] = []
  if (status === 'active') where.push('i.resolved_at is null')
  else if (status !== 'all') where.push(`i.status = ${literal(status)}`)
  const severities = severity?.filter((one) => one !== 'all') ?? []
  if (severities.length > 0) where.push(`i.severity in (${severities.map(literal).join(', ')})`)
  return where
}

export async function findIncidents(pool: Pool, query: IncidentsQuery, shown: Shown): Promise<string> {
  const values = new Values()
  const money = moneyFor(values, shown, sitesOfIncident)
  const where = conditionsOf(query)
  const term = searchTerm(values, query.search)
  if (term) where.push(`search_fold('INC-' || i.number || E'\\n' || i.title) like ${term.pattern}`)
  const list: List = {
    table: 'incidents',
    alias: 'i',
    order: { from: 'incidents i', key: sortKeys[query.sort], id: 'i.id', isWhole: true },
    isDescending: true,
    where,
    columns: columns(money),
    joins,
    total: `(select count(*) from incidents i ${where.length > 0 ? `where ${where.join(' and ')}` : ''})`,
    values,
    isPrepared: false,
  }
  return readPage(pool, 'incidents', list, query)
}

const countsText = `select count(*) as active, count(*) filter (where severity = 'sev1') as sev1,
    count(*) filter (where severity = 'sev2') as sev2, count(*) filter (where severity = 'sev3') as sev3,
    count(*) filter (where severity = 'sev4') as sev4
  from incidents where resolved_at is null`

export async function countIncidents(pool: Pool): Promise<Record<string, number>> {
  const [counts] = await runStatement<Record<string, number>>(pool, { text: countsText, values: [], prepare: true })
  return counts ?? {}
}

export async function findIncident(pool: Pool, id: string, shown: Shown): Promise<Incident | undefined> {
  const values = new Values()
  const money = moneyFor(values, shown, sitesOfIncident)
  const text = `select ${columns(money)} from incidents i ${joins} where i.id = ${values.add(id)}`
  const [incident] = await runStatement<Incident>(pool, { text, values: values.list })
  return incident
}

export async function findEvents(pool: Pool, id: string): Promise<IncidentEvent[]> {
  const text = `select id, iso_utc(at) as at, kind, actor, text from incident_events
    where incident_id = $1 order by position limit 2000`
  return runStatement(pool, { text, values: [id] })
}
