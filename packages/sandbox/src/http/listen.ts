import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Listening = {
  port: number
  close(): Promise<void>
  /** Refuses connections for a while: nothing listens on the port. */
  outage(ms: number): Promise<void>
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const listen = (server: Server, host: string, port: number) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })

const shut = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

export async function listenOn(make: () => Server, host: string, wanted: number): Promise<Listening> {
  let server = make()
  let closed = false
  const port = await listen(server, host, wanted)
  return {
    port,
    async close() {
      closed = true
      await shut(server)
    },
    async outage(ms) {
      await shut(server)
      await wait(ms)
      if (closed) return
      server = make()
      await listen(server, host, port)
    },
  }
}

/** Takes the port of last time; when someone else has it meanwhile, any. */
export async function listenAgain(make: () => Server, host: string, lastTime: number): Promise<Listening> {
  try {
    return await listenOn(make, host, lastTime)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return await listenOn(make, host, 0)
  }
}
