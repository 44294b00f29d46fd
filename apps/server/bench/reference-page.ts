import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'

const folder = fileURLToPath(new URL('../../web/bench', import.meta.url))

/** Builds the page with the web app's own tools and serves it with the given rows. */
export async function startReference(data: string): Promise<{ url: string; stop(): Promise<void> }> {
  const outDir = await mkdtemp(join(tmpdir(), 'agency-bench-page-'))
  // The tools belong to the web app; its package is where they are found.
  const fromWeb = createRequire(new URL('../../web/package.json', import.meta.url))
  const { build } = (await import(fromWeb.resolve('vite'))) as { build(options: object): Promise<unknown> }
  const { default: react } = (await import(fromWeb.resolve('@vitejs/plugin-react'))) as { default(): object }
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { outDir, emptyOutDir: true },
  })
  const app = Fastify()
  await app.register(fastifyStatic, { root: outDir })
  app.get('/data', (_request, reply) => reply.header('content-type', 'application/json').send(data))
  app.get('/robots.txt', (_request, reply) => reply.type('text/plain').send(''))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url: `${url}/index.html`,
    async stop() {
      await app.close()
      await rm(outDir, { recursive: true, force: true })
    },
  }
}
