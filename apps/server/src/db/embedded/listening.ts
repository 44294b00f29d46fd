import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Account } from './account.ts'
import { database, user } from './cluster.ts'
import type { Postmaster } from './postmaster.ts'
import { makeSocketDir } from './socket-dir.ts'

export type ListenOn = 'socket' | 'loopback'

/** A socket in a private folder, or, where there are none, a port of the loopback address. */
export type Listening = { socketDir: string; port: 5432 } | { socketDir: undefined; port: number }

export async function chooseListening(
  dataDir: string,
  account: Account | undefined,
  listenOn: ListenOn = process.platform === 'win32' ? 'loopback' : 'socket',
): Promise<Listening> {
  if (listenOn === 'loopback') return { socketDir: undefined, port: await findFreePort() }
  return { socketDir: await makeSocketDir(dataDir, account), port: 5432 }
}

export function listeningOf({ socketDir, port }: Postmaster): Listening {
  return socketDir === '' ? { socketDir: undefined, port } : { socketDir, port: 5432 }
}

export function connectionString({ socketDir, port }: Listening, password: string): string {
  const host = socketDir === undefined ? '127.0.0.1' : 'localhost'
  // The driver would follow PGSSLMODE, which is meant for DATABASE_URL.
  const address = `postgres://${user}:${password}@${host}:${port}/${database}?sslmode=disable`
  return socketDir === undefined ? address : `${address}&host=${encodeURIComponent(socketDir)}`
}

export function listeningArguments({ socketDir, port }: Listening): string[] {
  const [address, folder] = socketDir === undefined ? ['127.0.0.1', ''] : ['', socketDir]
  return ['-c', `listen_addresses=${address}`, '-c', `unix_socket_directories=${folder}`, '-c', `port=${port}`]
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
