import type { Store } from '../store/store.ts'

export type Ports = { http: number; https: number }

const keptAs = 'hosting.ports'

export async function keptPorts({ pool, schema }: Store): Promise<Ports> {
  const { rows } = await pool.query<{ value: Ports }>(`select value from ${schema}.kept where name = $1`, [keptAs])
  return rows[0]?.value ?? { http: 0, https: 0 }
}

export async function keepPorts({ pool, schema }: Store, ports: Ports): Promise<void> {
  await pool.query(
    `insert into ${schema}.kept (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value`,
    [keptAs, JSON.stringify(ports)],
  )
}
