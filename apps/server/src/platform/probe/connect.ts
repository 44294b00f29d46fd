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
  EHOSTUNREACH: 'the machine cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the machine does not answer',
}

export const wordsOf = (error: unknown): string => {
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  return (code && (connectWords[code] ?? code)) || (error instanceof Error ? error.message : String(error))
}

/** The first of the checked addresses that lets itself be connected to. */
export async function openSocket({ addresses, port }: Target, signal: AbortSignal): Promise<Socket> {
  let failure: unknown
  for (const host of addresses) {
    try {
      return await opened(connectPlain({ host, port }), 'connect', signal)
    } catch (error) {
      failure = error
      if (signal.aborted) break
    }
  }
  throw new ProbeError('connect', `Could not connect: ${wordsOf(failure)}`, { cause: failure })
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
