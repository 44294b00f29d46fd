import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { DemoHosts } from './demo-hosts.ts'
import { ProbeError } from './probe-error.ts'
import { type SafeRequest, safeRequest } from './safe-request.ts'
import type { Doors } from './target.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** A host of the allow list, and how many requests it was sent. */
async function demoHost(listener: RequestListener, hosts = ['shop.example']) {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    listener(request, response)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const names = new Set(hosts)
  const demoHosts: DemoHosts = { hosts: () => names, address: '127.0.0.1', httpPort: port, httpsPort: 1, ca: '' }
  return { port, doors: { demoHosts } satisfies Doors, requests: () => requests }
}

async function refusal(request: Partial<SafeRequest> & { url: string }, doors: Doors): Promise<string> {
  const error = await safeRequest(request, doors).catch((reason: unknown) => reason)
  if (error instanceof ProbeError) return error.reason
  throw new Error(`expected a refusal, got ${JSON.stringify(error)}`)
}

const live: Doors = { demoHosts: null, resolve: async () => ['127.0.0.1'] }

describe('what is never asked', () => {
  test.each([
    ...['http://127.0.0.1/', 'http://10.1.2.3/', 'http://192.168.0.1/', 'http://169.254.169.254/latest/meta-data/'],
    ...[
      'http://2130706433/',
      'http://0x7f.1/',
      'http://0177.0.0.1/',
      'http://127.1/',
      'http://0/',
      'http://１２７.0.0.1/',
    ],
    ...['http://[::1]/', 'http://[::]/', 'http://[::ffff:127.0.0.1]/', 'http://[::ffff:7f00:1]/', 'http://[fe80::1]/'],
    ...['http://[fc00::1]/', 'http://[64:ff9b::7f00:1]/', 'http://[2002:7f00:1::]/', 'http://100.64.0.1/'],
  ])('%s by its literal', async (url) => {
    expect(await refusal({ url }, { demoHosts: null })).toBe('address')
  })

  test.each(['http://localhost/', 'http://localhost./', 'http://inside.example/', 'https://inside.example/'])(
    '%s by its name',
    async (url) => expect(await refusal({ url }, live)).toBe('address'),
  )

  test.each([
    ...['ftp://shop.example/', 'file:///etc/passwd', 'javascript:alert(1)', 'data:text/html,x', 'gopher://a/', 'shop'],
    ...['http://shop.example:22/', 'http://shop.example:8080/', 'https://shop.example:6379/'],
    ...['http://user@shop.example/', 'http://user:secret@shop.example/', 'http://:secret@shop.example/'],
  ])('%s as an address', async (url) => {
    expect(await refusal({ url }, { demoHosts: null, resolve: async () => ['1.1.1.1'] })).toBe('url')
  })

  test('a name of which one address of several is inside', async () => {
    const doors = { demoHosts: null, resolve: async () => ['93.184.216.34', '10.0.0.7'] }
    expect(await refusal({ url: 'http://mixed.example/' }, doors)).toBe('address')
  })

  test('a name that leads nowhere', async () => {
    expect(await refusal({ url: 'http://gone.example/' }, { demoHosts: null, resolve: async () => [] })).toBe('dns')
    const fails = { demoHosts: null, resolve: () => Promise.reject(new Error('ENOTFOUND')) }
    expect(await refusal({ url: 'http://gone.example/' }, fails)).toBe('dns')
  })

  test('a name that the resolver says nothing of: that is no fault of the name', async () => {
    const again = () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'EAI_AGAIN' }))
    expect(await refusal({ url: 'http://shop.example/' }, { demoHosts: null, resolve: again })).toBe('network')
    const silent = () => new Promise<string[]>(() => {})
    const asked = { url: 'http://shop.example/', timeoutMs: 50 }
    expect(await refusal(asked, { demoHosts: null, resolve: silent })).toBe('network')
  })

  test('a name that changes its answer: it is looked up once, and what was checked is connected to', async () => {
    const { requests, doors } = await demoHost((_, response) => response.end('inside'))
    const answers = [['192.0.2.1'], ['127.0.0.1']]
    let asked = 0
    const resolve = async () => answers[Math.min(asked++, 1)]!
    const rebinding = { ...doors, resolve }
    expect(await refusal({ url: 'http://rebinding.example/' }, rebinding)).toBe('address')
    expect(asked).toBe(1)
    expect(requests()).toBe(0)
  })

  test('a redirect that leads inside, by literal, by name, by port and by scheme', async () => {
    const places = ['http://127.0.0.1/', 'http://inside.example/', 'http://shop.example:22/', 'file:///etc/passwd']
    const { doors, requests } = await demoHost((request, response) => {
      response.writeHead(302, { location: places[Number(request.url?.slice(1))]! }).end()
    })
    const all = { ...doors, resolve: async () => ['127.0.0.1'] }
    const reasons = await Promise.all(places.map((_, index) => refusal({ url: `http://shop.example/${index}` }, all)))
    expect(reasons).toEqual(['address', 'address', 'url', 'url'])
    expect(requests()).toBe(places.length)
  })

  test('loopback, also under the name of a demo host, once there are no demo hosts', async () => {
    const { port, requests } = await demoHost((_, response) => response.end())
    expect(await refusal({ url: `http://shop.example:${port}/` }, live)).toBe('url')
    expect(await refusal({ url: 'http://shop.example/' }, live)).toBe('address')
    expect(requests()).toBe(0)
  })

  test('loopback by its own name beside demo hosts', async () => {
    const { port, doors, requests } = await demoHost((_, response) => response.end())
    for (const host of ['127.0.0.1', 'localhost', 'other.example'])
      expect(await refusal({ url: `http://${host}:${port}/` }, { ...live, ...doors })).toMatch(/url|address/)
    expect(requests()).toBe(0)
  })
})

describe('an answer', () => {
  test('comes with where it is from and how long each part took', async () => {
    const { doors } = await demoHost((request, response) => {
      if (request.url === '/') response.writeHead(301, { location: '/there?x=1' }).end('elsewhere')
      else setTimeout(() => response.writeHead(200, { 'x-build-id': 'b1' }).end('hello'), 60)
    })
    const answer = await safeRequest({ url: 'http://shop.example/' }, doors)
    expect(answer).toMatchObject({ status: 200, url: 'http://shop.example/there?x=1', redirects: 1, isCut: false })
    expect(answer.headers['x-build-id']).toBe('b1')
    expect(answer.body.toString()).toBe('hello')
    expect(answer.timings.ttfb).toBeGreaterThan(50)
    expect(answer.timings).toMatchObject({
      dns: null,
      tls: null,
      connect: expect.any(Number),
      download: expect.any(Number),
    })
  })

  test('says who asks, without cookies, and keeps none', async () => {
    const seen: Record<string, unknown>[] = []
    const { doors } = await demoHost((request, response) => {
      seen.push(request.headers)
      response.writeHead(request.url === '/' ? 302 : 200, { location: '/2', 'set-cookie': 'a=1' }).end()
    })
    await safeRequest({ url: 'http://shop.example/' }, doors)
    expect(seen).toHaveLength(2)
    expect(seen[1]).toMatchObject({ host: 'shop.example', 'user-agent': expect.stringContaining('AgencyConsole') })
    expect(seen[1]).not.toHaveProperty('cookie')
  })

  test('is read up to its limit', async () => {
    const { doors } = await demoHost((_, response) => {
      const more = () => response.write('x'.repeat(16_384), (error) => error ?? setImmediate(more))
      more()
    })
    const answer = await safeRequest({ url: 'http://shop.example/', maxBytes: 65_536 }, doors)
    expect(answer.isCut).toBe(true)
    expect(answer.body.length).toBe(65_536)
  })

  test('of three redirects is taken, a fourth is one too many', async () => {
    const { doors, requests } = await demoHost((request, response) => {
      const round = Number(request.url?.slice(1))
      if (round === 3) response.end('there')
      else response.writeHead(307, { location: `/${round + 1}` }).end()
    })
    expect((await safeRequest({ url: 'http://shop.example/0' }, doors)).redirects).toBe(3)
    expect(await refusal({ url: 'http://shop.example/-1' }, doors)).toBe('redirects')
    expect(requests()).toBe(8)
  })

  test('that redirects is an answer when none are followed, and a POST never follows', async () => {
    const { doors, requests } = await demoHost((_, response) => response.writeHead(302, { location: '/x' }).end())
    expect((await safeRequest({ url: 'http://shop.example/', maxRedirects: 0 }, doors)).status).toBe(302)
    expect((await safeRequest({ url: 'http://shop.example/', method: 'POST', body: '{}' }, doors)).status).toBe(302)
    expect(requests()).toBe(2)
  })

  test('that never begins, or never ends, is given up in time', async () => {
    const { doors } = await demoHost((request, response) => {
      if (request.url === '/drip') setInterval(() => response.write('.'), 20).unref()
    })
    for (const path of ['silent', 'drip']) {
      expect(await refusal({ url: `http://shop.example/${path}`, timeoutMs: 200 }, doors)).toBe('timeout')
    }
  })

  test('that did begin is told apart from one that never did', async () => {
    const { doors } = await demoHost((request, response) => {
      if (request.url === '/drip') setInterval(() => response.write('.'), 20).unref()
    })
    const wordsOf = (path: string) =>
      safeRequest({ url: `http://shop.example/${path}`, timeoutMs: 300 }, doors).catch((error: Error) => error.message)
    expect(await wordsOf('silent')).toBe('No answer within 0.3 seconds')
    expect(await wordsOf('drip')).toBe('The answer did not end within 0.3 seconds')
  })

  test('that is long is told apart from one without an end', async () => {
    const { doors } = await demoHost((request, response) => {
      if (request.url === '/announced') return response.end('x'.repeat(200_000))
      if (request.url === '/long') {
        response.write('x'.repeat(100_000))
        return response.end('x'.repeat(100_000))
      }
      const more = () => response.write('x'.repeat(16_384), (error) => error ?? setImmediate(more))
      return more()
    })
    const ask = (path: string) =>
      safeRequest({ url: `http://shop.example/${path}`, maxBytes: 1000, endWithinBytes: 400_000 }, doors)
    for (const path of ['announced', 'long'])
      expect(await ask(path)).toMatchObject({ isCut: true, isEndless: false, body: { length: 1000 } })
    expect(await ask('endless')).toMatchObject({ isCut: true, isEndless: true, body: { length: 1000 } })
  })

  test('that leads back to where it came from is a loop', async () => {
    const { doors, requests } = await demoHost((request, response) =>
      response.writeHead(302, { location: request.url === '/a' ? '/b' : '/a' }).end(),
    )
    const asked = safeRequest({ url: 'http://shop.example/a' }, doors)
    await expect(asked).rejects.toThrow('Redirect loop')
    expect(requests()).toBe(2)
  })

  test('that breaks off, or is none at all, is a failure', async () => {
    const { doors } = await demoHost((request, response) => {
      if (request.url === '/cut') {
        response.writeHead(200, { 'content-length': '100' })
        response.write('half')
      }
      setTimeout(() => response.destroy(), 20)
    })
    expect(await refusal({ url: 'http://shop.example/cut' }, doors)).toBe('answer')
    expect(await refusal({ url: 'http://shop.example/none' }, doors)).toBe('answer')
  })

  test('is not waited for once the caller stops', async () => {
    const { doors } = await demoHost(() => undefined)
    const stopping = new AbortController()
    const asked = refusal({ url: 'http://shop.example/', signal: stopping.signal }, doors)
    setTimeout(() => stopping.abort(), 30)
    expect(await asked).toBe('stopped')
  })

  test('of a host where nobody listens is a failure to connect', async () => {
    const { doors } = await demoHost(() => undefined)
    expect(await refusal({ url: 'https://shop.example/' }, doors)).toBe('connect')
  })

  test('a body is sent as it is', async () => {
    let got = ''
    const { doors } = await demoHost(async (request, response) => {
      for await (const chunk of request) got += chunk
      response.end()
    })
    const body = '{"a":"ü"}'
    await safeRequest({ url: 'http://shop.example/', method: 'POST', body, headers: { 'x-a': 'b' } }, doors)
    expect(got).toBe(body)
  })
})

test("a name that cannot be looked up after the request was stopped is nobody's fault", async () => {
  const { promise, reject: fail } = Promise.withResolvers<string[]>()
  const resolve = () => promise
  const stopped = refusal({ url: 'http://shop.example/', signal: AbortSignal.abort() }, { demoHosts: null, resolve })
  expect(await stopped).toBe('stopped')
  // Without anybody who listens, this would end the process.
  fail(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' }))
  await new Promise((next) => setImmediate(next))
})
