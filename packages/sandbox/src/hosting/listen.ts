import type { AddressInfo, Server } from 'node:net'
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

const listen = (server: Server, host: string, port: number) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })

/** On the port that it had, else on any that is free. */
export async function listenAgain(server: Server, host: string, port: number): Promise<number> {
  if (port === 0) return await listen(server, host, 0)
  return await listen(server, host, port).catch(() => listen(server, host, 0))
}
