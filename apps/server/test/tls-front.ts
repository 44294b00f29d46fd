import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'

export type Front = {
  url: string
  /** Whether the connections that came through were encrypted, in their order. */
  encrypted: boolean[]
  close(): void
}

type Take = 'both' | 'encrypted' | 'plain'

const requestsTls = (chunk: Buffer) => chunk.length === 8 && chunk.readInt32BE(4) === 80877103

/** Where the server of this address listens. */
function socketOf(connectionString: string): Socket {
  const url = new URL(connectionString)
  const folder = url.searchParams.get('host')
  return folder
    ? connect({ path: join(folder, `.s.PGSQL.${url.port}`) })
    : connect({ host: url.hostname, port: Number(url.port) })
}

/** Answers with the error of a server whose pg_hba.conf has no entry for such a connection. */
function refuse(client: Socket): void {
  const fields = Buffer.from('SFATAL\0VFATAL\0C28000\0Mno pg_hba.conf entry for this host, no encryption\0\0')
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  client.end(Buffer.concat([head, fields]))
}

/** A PostgreSQL that speaks TLS: it takes off the encryption and hands on to one that does not. */
export async function startTlsFront(
  target: string,
  { key, cert, take = 'both' }: { key: string; cert: string; take?: Take },
): Promise<Front> {
  const encrypted: boolean[] = []
  const handOn = (client: Socket, isEncrypted: boolean, first?: Buffer) => {
    encrypted.push(isEncrypted)
    const server = socketOf(target)
    if (first) server.write(first)
    client.pipe(server).pipe(client)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
  }
  const front = createServer(async (client) => {
    client.on('error', () => {})
    const [chunk] = (await once(client, 'data')) as [Buffer]
    client.pause()
    if (!requestsTls(chunk)) return take === 'encrypted' ? refuse(client) : handOn(client, false, chunk)
    if (take === 'plain') {
      client.write('N')
      const [next] = (await once(client.resume(), 'data').catch(() => [])) as [Buffer?]
      return next && handOn(client, false, next)
    }
    client.write('S')
    handOn(new TLSSocket(client, { isServer: true, key, cert }), true)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.search = ''
  url.hostname = 'localhost'
  url.port = String((front.address() as AddressInfo).port)
  return { url: url.href, encrypted, close: () => void front.close() }
}
