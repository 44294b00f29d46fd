import type { FastifyInstance } from 'fastify'

const trustMs = 1000

export type Readiness = { isStarting(): boolean; answersDatabase(): Promise<boolean> }

/** For whatever watches the process: `/healthz` says that it runs, `/readyz` whether it can serve. Neither tells more. */
export function serveProbes(app: FastifyInstance, readiness: Readiness): void {
  let isClosing = false
  let asked: { at: number; answer: Promise<boolean> } | undefined

  app.addHook('preClose', async () => {
    isClosing = true
  })

  /** Anybody may ask, so the database is not asked each time. */
  function ask(): Promise<boolean> {
    const now = performance.now()
    if (!asked || now - asked.at > trustMs) asked = { at: now, answer: readiness.answersDatabase() }
    return asked.answer
  }

  app.get('/healthz', (_request, reply) => {
    reply.header('cache-control', 'no-store').send({ status: 'live' })
  })
  app.get('/readyz', async (_request, reply) => {
    const ready = !isClosing && !readiness.isStarting() && (await ask())
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ready' : 'unavailable' })
  })
}
