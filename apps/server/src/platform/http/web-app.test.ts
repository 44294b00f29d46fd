import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { buildApp } from '../../app.ts'

const script = `console.log("${'a'.repeat(3000)}")`
const ownScript = "document.title = 'Agency Console'\n"
const page =
  '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>' +
  `<script>${ownScript}</script><script type="module" src="/assets/main-4f2.js"></script>`

let one: TestContext
let app: FastifyInstance
let folder: string

beforeAll(async () => {
  one = await createTestContext()
  folder = await mkdtemp(join(tmpdir(), 'agency-web-'))
  const webFolder = join(folder, 'dist')
  await mkdir(join(webFolder, 'assets'), { recursive: true })
  await mkdir(join(webFolder, '.vite'))
  await Promise.all([
    writeFile(join(folder, 'secret.txt'), 'secret'),
    writeFile(join(webFolder, 'index.html'), page),
    writeFile(join(webFolder, 'favicon.svg'), '<svg/>'),
    writeFile(join(webFolder, '.vite/manifest.json'), '{}'),
    writeFile(join(webFolder, 'assets/main-4f2.js'), script),
    writeFile(join(webFolder, 'assets/main-4f2.js.br'), brotliCompressSync(script)),
    writeFile(join(webFolder, 'assets/main-4f2.js.gz'), gzipSync(script)),
  ])
  app = buildApp(one.ctx, { webFolder })
})

afterAll(async () => {
  await one?.close()
  await rm(folder, { recursive: true, force: true })
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })

describe('the page', () => {
  test.each(['/', '/admin', '/admin/customers?status=active', '/admin/domains/x/analytics', '/welcome', '/%41dmin'])(
    'is sent for %s',
    async (url) => {
      const response = await get(url)
      expect(response.statusCode).toBe(200)
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(response.headers['cache-control']).toBe('no-store')
    },
  )

  test.each([
    '/nowhere',
    '/monitor',
    '/.env',
    '/.git/HEAD',
    '/administrator',
    '/wp-login',
    '/assets/none',
    '/admin/x.php',
  ])('is not sent for %s', async (url) => {
    const response = await get(url)
    expect([response.statusCode, response.json().code]).toEqual([404, 'not_found'])
  })

  test('has a nonce of its own each time, which its policy names', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const { body, headers } = await get('/admin')
        const [nonce = '', again] = [...body.matchAll(/(?:content|nonce)="([^"]*)"/g)].map((match) => match[1])
        expect(again).toBe(nonce)
        expect(headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
        return nonce
      }),
    )
    expect(new Set(nonces).size).toBe(2)
    expect(nonces[0]!.length).toBeGreaterThanOrEqual(22)
  })

  test('may do what the console needs, and nothing else', async () => {
    const policy = String((await get('/')).headers['content-security-policy']).replace(/nonce-[^']+/, 'nonce-x')
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'self' 'sha256-${createHash('sha256').update(ownScript).digest('base64')}'`,
      "style-src 'self' 'nonce-x'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      'report-uri /csp-report',
      'report-to csp',
    ])
  })
})

describe('a file', () => {
  test.each([
    ['br', 'gzip, deflate, br', (bytes: Buffer) => brotliDecompressSync(bytes).toString()],
    ['gzip', 'gzip', () => script],
    [undefined, 'identity', (bytes: Buffer) => bytes.toString()],
  ])(
    'is sent as %s to who accepts "%s", and kept for good when its name has a hash',
    async (encoding, accepted, read) => {
      const response = await get('/assets/main-4f2.js', { 'accept-encoding': accepted })
      expect(response.statusCode).toBe(200)
      expect(response.headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-length': String(response.rawPayload.length),
        vary: 'accept-encoding',
        'x-content-type-options': 'nosniff',
      })
      expect(response.headers['content-encoding']).toBe(encoding)
      expect(read(response.rawPayload)).toBe(script)
    },
  )

  test('without a hash is asked for again, and not sent again', async () => {
    const { headers } = await get('/favicon.svg')
    expect(headers['cache-control']).toBe('no-cache')
    const again = await get('/favicon.svg', { 'if-none-match': String(headers['etag']) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('answers HEAD without its content', async () => {
    const response = await app.inject({ method: 'HEAD', url: '/favicon.svg' })
    expect([response.statusCode, response.headers['content-length'], response.body]).toEqual([200, '6', ''])
  })

  test.each([
    '/assets/old-123.js',
    '/assets/',
    '/missing.png',
    '/.vite/manifest.json',
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/main-4f2.js.br',
    '/index.html.map',
  ])('%s is not there', async (url) => {
    const response = await get(url)
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ code: 'not_found' })
  })
})

test('a new build is served without a new start', async () => {
  const webFolder = join(folder, 'dist')
  expect((await get('/assets/main-9aa.js')).statusCode).toBe(404)
  await writeFile(join(webFolder, 'assets/main-9aa.js'), '1')
  await writeFile(join(webFolder, 'index.html'), `${page}<p>new</p>`)
  await utimes(join(webFolder, 'index.html'), new Date(), new Date(Date.now() + 5000))
  expect((await get('/assets/main-9aa.js')).body).toBe('1')
  expect((await get('/')).body).toContain('<p>new</p>')
})

test('without a build the page says what to do', async () => {
  const bare = buildApp(one.ctx, { webFolder: join(folder, 'nothing') })
  const response = await bare.inject({ method: 'GET', url: '/admin' })
  expect(response.statusCode).toBe(503)
  expect(response.body).toContain('has not been built yet')
})
