import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer, connect as openPlain, type Socket } from 'node:net'
import { connect as openTls } from 'node:tls'
import type { Config } from '../../config.ts'
import { readLockHolder } from '../../db/embedded/data-dir-lock.ts'
import { isAlive } from '../../db/embedded/postmaster.ts'
import { type Finding, fail, ok, reasonOf } from './finding.ts'

const patienceMs = 5000

export async function checkPort({ host, port, dataDir }: Pick<Config, 'host' | 'port' | 'dataDir'>): Promise<Finding> {
  const where = `${host}:${port}`
  const reason = await findReasonNotToListen(host, port)
  if (reason === undefined) return ok('Address', `${where} is free`)
  if (reason !== 'EADDRINUSE') return fail('Address', `${where} cannot be listened on: ${reason}`, 'set HOST and PORT')
  const holder = readLockHolder(dataDir)
  if (holder?.name.endsWith(`:${port}`) && isAlive(holder.pid))
    return ok('Address', `${where} is served by this console (process ${holder.pid}, since ${holder.since})`)
  return fail('Address', `${where} is in use by ${findListener(port)}`, 'stop it, or set PORT to another number')
}

async function findReasonNotToListen(host: string, port: number): Promise<string | undefined> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? reasonOf(error)
  } finally {
    server.close()
  }
}

/** Linux says which socket listens, and each process which sockets it holds. */
function findListener(port: number): string {
  const unknown = 'another program'
  try {
    const hex = port.toString(16).toUpperCase().padStart(4, '0')
    const rows = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1))
    const listening = rows
      .map((row) => row.trim().split(/\s+/))
      .find((row) => row[1]?.endsWith(`:${hex}`) && row[3] === '0A')
    const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holdsSocket(name, listening?.[9]))
    if (pid === undefined) return unknown
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim()
    return `process ${pid}: ${command.slice(0, 80)}`
  } catch {
    return unknown
  }
}

function holdsSocket(pid: string, inode: string | undefined): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`)
  } catch {
    // Another account's process, or one that has ended since.
    return false
  }
}

export async function checkMail({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): Promise<Finding> {
  if (smtpUrl === undefined) return ok('Mail', 'kept in the outbox that the console shows (no mail server is set)')
  const { protocol, hostname, port } = new URL(smtpUrl)
  const isTls = protocol === 'smtps:'
  const address = { host: hostname, port: Number(port) || (isTls ? 465 : 587) }
  const socket = isTls ? openTls({ ...address, servername: hostname }) : openPlain(address)
  try {
    const greeting = await readGreeting(socket)
    if (!greeting.startsWith('220')) throw new Error(`it answers ${greeting.slice(0, 60)}`)
    return ok('Mail', `${hostname} answers; sent from ${mailFrom}`)
  } catch (error) {
    return fail('Mail', `${hostname}:${address.port} does not take mail: ${reasonOf(error)}`, 'check SMTP_URL')
  } finally {
    socket.destroy()
  }
}

async function readGreeting(socket: Socket): Promise<string> {
  const [chunk] = await once(socket, 'data', { signal: AbortSignal.timeout(patienceMs) })
  return String(chunk).trim()
}
