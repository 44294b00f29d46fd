import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { chooseAccount } from '../src/db/embedded/account.ts'
import { execute, untilBack } from './database.ts'

const run = promisify(execFile)
const home = '/usr/lib/postgresql'

/** The programs of the newest PostgreSQL that the system's packages brought, if there is one. */
export const installedPrograms = existsSync(home)
  ? readdirSync(home)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(home, version, 'bin'))
      .find((bin) => existsSync(join(bin, 'pg_basebackup')))
  : undefined

export type Server = {
  connectionString: string
  port: number
  pid: () => number
  /** Resolves once it is gone. */
  end(signal: NodeJS.Signals): Promise<void>
  start(): Promise<void>
  promote(): Promise<void>
  /** What only its superuser may. */
  asAdmin(sql: string): Promise<void>
}

const account = chooseAccount('/nowhere')
const program = (name: string) => join(installedPrograms ?? '', name)
const urlOf = (port: number) => `postgres://agency@127.0.0.1:${port}/agency`
const adminOf = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`

/** A server of installed programs on an empty database; everybody on this machine may come in. */
export async function startInstalled(folder: string): Promise<Server> {
  const data = await ownFolder(folder)
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  await run(program('initdb'), initdb, { ...account, cwd: '/' })
  const server = serverOf(data, await freePort())
  await server.start()
  await execute(adminOf(server.port), 'create role agency login')
  await execute(adminOf(server.port), "create database agency owner agency template template0 lc_ctype 'C.UTF-8'")
  return server
}

/** Follows the other, who acknowledges nothing from now on that has not arrived here. */
export async function startStandby(primary: Server, folder: string): Promise<Server> {
  const data = await ownFolder(folder)
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres']
  const how = ['-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
  await run(program('pg_basebackup'), [...from, ...how], { ...account, cwd: '/' })
  const standby = serverOf(data, await freePort())
  await standby.start()
  await execute(adminOf(primary.port), "alter system set synchronous_standby_names = '*'")
  await execute(adminOf(primary.port), 'select pg_reload_conf()')
  const synced = "select 1 from pg_stat_replication where sync_state = 'sync'"
  while ((await execute(adminOf(primary.port), synced)).length === 0) await sleep(20)
  return standby
}

async function ownFolder(folder: string): Promise<string> {
  mkdirSync(folder, { mode: 0o755 })
  const data = join(folder, 'data')
  if (account) await run('install', ['-d', '-m', '700', '-o', String(account.uid), '-g', String(account.gid), data])
  return data
}

function serverOf(data: string, port: number): Server {
  let child: ChildProcess | undefined
  let ended: Promise<unknown> = Promise.resolve()
  const where = ['-D', data, '-p', String(port), '-c', 'unix_socket_directories=', '-c', 'listen_addresses=127.0.0.1']
  const settings = [...where, '-c', 'max_connections=100']
  return {
    connectionString: urlOf(port),
    port,
    pid: () => child?.pid ?? 0,
    async end(signal) {
      child?.kill(signal)
      await ended
    },
    async start() {
      // It refuses while processes of a killed one still hold its memory, so it is started again until it stays.
      for (;;) {
        const begun = spawn(program('postgres'), settings, { ...account, cwd: '/', stdio: 'ignore' })
        child = begun
        ended = once(begun, 'exit')
        const isUp = await Promise.race([untilBack(adminOf(port)).then(() => true), ended.then(() => false)])
        if (isUp) return
        await sleep(50)
      }
    },
    asAdmin: async (sql) => void (await execute(adminOf(port), sql)),
    promote: async () => {
      await run(program('pg_ctl'), ['promote', '-w', '-D', data], { ...account, cwd: '/' })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

/** The one address of a database that moves, as a balancer before several servers gives it. */
export async function startSwitch(first: Server) {
  let target = first
  const open = new Set<Socket>()
  const front = createServer((client) => {
    const server = connect(target.port, '127.0.0.1')
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  return {
    connectionString: urlOf((front.address() as AddressInfo).port),
    to(next: Server) {
      target = next
      for (const socket of open) socket.destroy()
    },
    close() {
      for (const socket of open) socket.destroy()
      front.close()
    },
  }
}
