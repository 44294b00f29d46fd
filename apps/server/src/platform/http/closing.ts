import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const lookEveryMs = 50
const patienceMs = 500

/**
 * A closing server waits for connections that are kept alive after their last answer, and for those that browsers open
 * beforehand and never use. This ends both at once, and after a while also those that are still being answered.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  const { server } = app
  const unused = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', (request: IncomingMessage) => unused.delete(request.socket))

  function endQuiet(): void {
    server.closeIdleConnections()
    for (const socket of unused) socket.destroy()
  }

  app.addHook('preClose', async () => {
    if (!server.listening) return
    const look = setInterval(endQuiet, lookEveryMs)
    const lose = setTimeout(() => server.closeAllConnections(), patienceMs)
    server.once('close', () => {
      clearInterval(look)
      clearTimeout(lose)
    })
  })
}
