import type { Pool } from 'pg'

type SiteRow = { id: string; name?: string; customer?: string | null; createdAt?: string }
type DeploymentRow = {
  id: string
  site: string
  at: string
  kind?: 'deploy' | 'retry' | 'rollback'
  status?: 'queued' | 'success' | 'failed'
}

const since = '2026-01-01T00:00:00Z'

export async function insertSite(pool: Pool, { id, name = id, customer = null, createdAt = since }: SiteRow) {
  await pool.query(
    `insert into sites (id, site_name, domain, customer_id, status, created_at, updated_at)
     values ($1, $2, $3, $4, 'active', $5, $5)`,
    [id, name, `${id.replace('_', '-')}.example`, customer, createdAt],
  )
}

export async function insertDeployment(pool: Pool, row: DeploymentRow): Promise<void> {
  const { id, site, at, kind = 'deploy', status = 'success' } = row
  await pool.query(
    `insert into deployments (id, site_id, kind, origin, status, provider, lane, same_as, version, queued_at,
       completed_at, actor_name)
     values ($1, $2, $3, 'console', $4, 'pages', 'pages:x', $1, 'abc1234', $5::timestamptz,
       case when $4 = 'queued' then null else $5::timestamptz end, 'Grace')`,
    [id, site, kind, status, at],
  )
}
