import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { ProbeError } from './probe-error.ts'
import type { Target } from './target.ts'

function opened<S extends Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    const end = (error: Error) => {
      socket.destroy()
      reject(error)
    }
    const stop = () => end(new Error('stopped'))
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    // Stays: an error of an open connection without a listener would end the process.
    socket.on('error', end)
    socket.once('close', () => end(new Error('closed')))
    socket.once(event, () => {
      signal.removeEventListener('abort', stop)
      resolve(socket)
    })
  })
}

const connectWords: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENETDOWN: 'the network is down',
  EADDRNOTAVAIL: 'no network address available',
  ETIMEDOUT: 'the host does not answer',
}

export const wordsOf = (error: unknown): string => {
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  return (code && (connectWords[code] ?? code)) || (error instanceof Error ? error.message : String(error))
}

const ownNetwork: ReadonlySet<string | undefined> = new Set(['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'])
const isOwnNetwork = (error: unknown) => ownNetwork.has((error as NodeJS.ErrnoException).code)

/** The first of the checked addresses that lets itself be connected to. */
export async function openSocket(
  { addresses, port }: Pick<Target, 'addresses' | 'port'>,
  signal: AbortSignal,
): Promise<Socket> {
  const failures: unknown[] = []
  for (const host of addresses) {
    try {
      return await opened(connectPlain({ host, port }), 'connect', signal)
    } catch (error) {
      failures.push(error)
      if (signal.aborted) break
    }
  }
  // A machine without IPv6 cannot reach one of the two addresses that most hosts have: the other tells more.
  const telling = failures.findLast((error) => !isOwnNetwork(error))
  const failure = telling ?? failures.at(-1)
  const reason = telling === undefined ? 'network' : 'connect'
  throw new ProbeError(reason, `Could not connect: ${wordsOf(failure)}`, { cause: failure })
}

/** Takes any certificate: what is wrong with it is looked at afterwards. */
export async function secure(socket: Socket, { serverName, ca }: Target, signal: AbortSignal): Promise<TLSSocket> {
  const options = {
    socket,
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
    ...(serverName !== undefined && { servername: serverName }),
    ...(ca !== undefined && { ca }),
  }
  try {
    return await opened(connectTls(options), 'secureConnect', signal)
  } catch (error) {
    socket.destroy()
    throw new ProbeError('tls', `No secure connection: ${wordsOf(error)}`, { cause: error })
  }
}
