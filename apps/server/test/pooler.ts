import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Client } from 'pg'

export type PoolMode = 'session' | 'transaction'
export type Order = 'last' | 'longest idle'

type Server = { stream: Socket; client: Socket | undefined }
type Message = { type: string; bytes: Buffer; body: Buffer }

const isIdle = ({ type, body }: Message) => type === 'Z' && body.toString() === 'I'

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const int = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const welcome = Buffer.concat([
  message('R', int(0)),
  message('K', Buffer.concat([int(1), int(1)])),
  message('Z', Buffer.from('I')),
])

/** Gathers whole messages out of what arrives. */
function reader(take: (message: Message) => void): (chunk: Buffer) => void {
  let held = Buffer.alloc(0)
  return (chunk) => {
    held = Buffer.concat([held, chunk])
    while (held.length >= 5 && held.length >= held.readInt32BE(1) + 1) {
      const length = held.readInt32BE(1) + 1
      const bytes = held.subarray(0, length)
      held = held.subarray(length)
      take({ type: String.fromCharCode(bytes[0] ?? 0), bytes, body: bytes.subarray(5) })
    }
  }
}

/** A connection pooler with `size` connections to the server, which a client keeps for a transaction or for its session. */
export async function startPooler(
  target: string,
  { mode, size, order = 'last' }: { mode: PoolMode; size: number; order?: Order },
) {
  const idle: Server[] = []
  const waiting: ((server: Server) => void)[] = []
  const logins = await Promise.all(Array.from({ length: size }, () => login(target)))
  const release = (server: Server) => {
    server.client = undefined
    const next = waiting.shift()
    if (next) next(server)
    else idle.push(server)
  }
  for (const { stream } of logins) {
    const server: Server = { stream, client: undefined }
    stream.on(
      'data',
      reader((answer) => {
        server.client?.write(answer.bytes)
        if (mode === 'transaction' && isIdle(answer)) release(server)
      }),
    )
    idle.push(server)
  }
  const get = async (client: Socket): Promise<Server> => {
    const free = order === 'last' ? idle.pop() : idle.shift()
    const server = free ?? (await new Promise<Server>((resolve) => waiting.push(resolve)))
    server.client = client
    return server
  }
  const pooler = createServer((client) => serve(client, get, (server) => mode === 'session' && release(server)))
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.search = ''
  url.hostname = '127.0.0.1'
  url.port = String((pooler.address() as AddressInfo).port)
  const close = async () => {
    pooler.close()
    for (const { stream } of logins) stream.destroy()
  }
  return { url: url.href, close }
}

function serve(client: Socket, get: (client: Socket) => Promise<Server>, left: (server: Server) => void): void {
  client.on('error', () => {})
  let last: Promise<Server | undefined> = Promise.resolve(undefined)
  const ask = ({ type, bytes }: Message) => {
    if (type === 'X') return client.end()
    last = last.then(async (server) => {
      const own = server?.client === client ? server : await get(client)
      own.stream.write(bytes)
      return own
    })
  }
  const begin = (first: Buffer): void => {
    // Asked for encryption, it has none; the start of a plain connection follows.
    if (first.length === 8) return void client.once('data', begin).write('N')
    client.on('data', reader(ask)).write(welcome)
  }
  client.once('data', begin)
  client.on('close', () => last.then((server) => server?.client === client && left(server)))
}

/** The driver signs in; the connection is used by hand from then on. */
async function login(target: string): Promise<{ stream: Socket }> {
  const client = new Client({ connectionString: target })
  await client.connect()
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.removeAllListeners()
  stream.on('error', () => {})
  return { stream }
}
