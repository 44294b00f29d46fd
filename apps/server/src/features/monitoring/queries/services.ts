import type { ServiceKey, ServiceStatus } from '@agency/contract/monitoring'
import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { staleAfterMs } from '../intervals.ts'

type Db = Pick<AppContext, 'db'>

export type ServiceRow = {
  key: ServiceKey
  status: ServiceStatus
  detail: string
  since: Date | null
  checkedAt: Date | null
  responseMs: number | null
  activeAlerts: number
}

/** How each service is. What was looked at too long ago is unknown since then. */
export async function findServices({ db }: Db, now: Date): Promise<ServiceRow[]> {
  const { rows } = await sql<ServiceRow & { isStale: boolean }>`
    select m.key, m.status, m.detail, m.since, m.checked_at as "checkedAt", m.response_ms as "responseMs",
      m.checked_at < ${new Date(now.getTime() - staleAfterMs)} as "isStale",
      (select count(*)::integer from alerts a
        where a.subject = 'service' and a.subject_id = m.key and a.status <> 'resolved') as "activeAlerts"
    from monitored_services m
  `.execute(db)
  return rows.map(({ isStale, ...row }) => (isStale ? asUnknown(row) : row))
}

const asUnknown = (row: ServiceRow): ServiceRow => ({
  ...row,
  status: 'unknown',
  detail: 'Not checked lately',
  since: row.checkedAt && new Date(row.checkedAt.getTime() + staleAfterMs),
  responseMs: null,
})
