import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { pageHeaders } from './security-headers.ts'
import { listWebFiles, type WebFile } from './web-files.ts'

type Build = { mtimeMs: number; page: string[]; scripts: string[]; files: Map<string, WebFile> }

const notBuilt = 'The web app has not been built yet. Run "npm start", which builds it, and load this page again.\n'
const noncePlace = '__CSP_NONCE__'

/** Serves the built web app: its files, and its page for every address that the page itself routes. */
export function serveWebApp(app: FastifyInstance, folder: string): void {
  let known: Promise<Build> | undefined

  /** Lists the files again when the page was built again. */
  async function findBuild(): Promise<Build | undefined> {
    const page = await stat(join(folder, 'index.html')).catch(() => undefined)
    if (!page) return undefined
    const current = await known?.catch(() => undefined)
    if (current?.mtimeMs === page.mtimeMs) return current
    known = readBuild(folder, page.mtimeMs)
    return known
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: async (request, reply) => {
      const path = pathOf(request)
      const build = await findBuild()
      const file = build?.files.get(path)
      if (file) return sendFile(file, request, reply)
      if (!isOfApp(path) || extname(path) !== '') throw new AppError('not_found', 'There is nothing at this address')
      if (!build) return reply.code(503).header('content-type', 'text/plain; charset=utf-8').send(notBuilt)
      return sendPage(build, reply)
    },
  })
}

/** What the page itself routes: the console, and the links that invite somebody or reset a password. The rest is nowhere. */
const isOfApp = (path: string): boolean => path === '/' || path === '/welcome' || /^\/admin(?:\/|$)/i.test(path)

async function readBuild(folder: string, mtimeMs: number): Promise<Build> {
  const [html, files] = await Promise.all([readFile(join(folder, 'index.html'), 'utf8'), listWebFiles(folder)])
  return { mtimeMs, page: html.split(noncePlace), scripts: hashesOf(html), files }
}

/** What the policy names of the scripts that stand in the page: https://www.w3.org/TR/CSP3/#match-element-to-source-list */
function hashesOf(html: string): string[] {
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, code = '']) => `sha256-${createHash('sha256').update(code).digest('base64')}`,
  )
}

function pathOf(request: FastifyRequest): string {
  const path = request.url.split('?', 1)[0] ?? '/'
  try {
    return decodeURIComponent(path)
  } catch {
    throw new AppError('invalid_request', 'The address could not be read')
  }
}

function sendPage({ page, scripts }: Build, reply: FastifyReply): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .headers(pageHeaders(nonce, scripts))
    .header('content-type', 'text/html; charset=utf-8')
    .send(page.join(nonce))
}

function sendFile(file: WebFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply
    .header('content-type', file.type)
    .header('etag', file.etag)
    .header('vary', 'accept-encoding')
    .header('cache-control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const encoding = (['br', 'gzip'] as const).find(
    (name) => file.packed[name] && new RegExp(`\\b${name}\\b`).test(accepted),
  )
  const source = (encoding && file.packed[encoding]) ?? file
  if (encoding) reply.header('content-encoding', encoding)
  reply.header('content-length', source.size)
  return request.method === 'HEAD' ? reply.send() : reply.send(createReadStream(source.path))
}
