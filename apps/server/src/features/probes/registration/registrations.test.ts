import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../../test/context.ts'
import { request } from '../../../../test/request.ts'
import { addSite, type Host, openHost } from '../test/world.ts'
import { candidatesOf, readBootstrap, readRegistration } from './rdap-answer.ts'

const day = 86_400_000
const now = '2026-03-01T09:00:00Z'
const inDays = (days: number) => new Date(Date.parse(now) + days * day).toISOString()

const domainOf = (name: string, expires: string | null, registrar = 'Names Ltd') => ({
  ...{ objectClassName: 'domain', ldhName: name },
  events: [
    { eventAction: 'registration', eventDate: '2020-01-01T00:00:00Z' },
    ...(expires === null ? [] : [{ eventAction: 'expiration', eventDate: expires }]),
  ],
  entities: [{ roles: ['registrar'], vcardArray: ['vcard', [['fn', {}, 'text', registrar]]] }],
})

describe('an answer of a registry', () => {
  test('has an end and a registrar', () => {
    expect(readRegistration(JSON.stringify(domainOf('a.example', inDays(40))))).toEqual({
      ...{ expiresAt: new Date(inDays(40)), registrar: 'Names Ltd' },
    })
  })

  test.each([
    ['no JSON', null],
    ['[]', null],
    ['{"objectClassName":"nameserver"}', null],
    ['{"objectClassName":"domain"}', { expiresAt: null, registrar: null }],
    [
      '{"objectClassName":"domain","events":[{"eventAction":"expiration","eventDate":"soon"}],"entities":{}}',
      {
        ...{ expiresAt: null, registrar: null },
      },
    ],
    [
      '{"objectClassName":"domain","entities":[{"roles":["registrar"],"vcardArray":[1,[["fn"]]]}]}',
      {
        ...{ expiresAt: null, registrar: null },
      },
    ],
  ])('%s', (text, read) => expect(readRegistration(text)).toEqual(read))

  test('the list of registries prefers https', () => {
    const list = {
      services: [
        [
          ['com', 'NET'],
          ['http://a.test/', 'https://b.test/'],
        ],
        [['org'], []],
        'odd',
      ],
    }
    expect(readBootstrap(JSON.stringify(list))).toEqual(
      new Map([
        ['com', 'https://b.test/'],
        ['net', 'https://b.test/'],
      ]),
    )
    expect(readBootstrap('{"services":[]}')).toBeNull()
  })

  test.each([
    ['shop.example', ['shop.example']],
    ['www.shop.co.example', ['co.example', 'shop.co.example', 'www.shop.co.example']],
    ['a.b.c.d.example', ['d.example', 'c.d.example', 'b.c.d.example']],
  ])('%s may stand on %o', (host, names) => expect(candidatesOf(host)).toEqual(names))
})

describe('looking at registrations', () => {
  let host: Host
  let console: TestContext
  let asked: string[]
  let known: Map<string, object>
  let status: number

  beforeAll(async () => {
    host = await openHost()
    console = await createTestContext()
    host.openTo(console)
    console.ctx.replace({ demoHosts: { ...console.ctx.demoHosts!, rdapUrl: 'http://rdap.example' } })
  })
  beforeEach(async () => {
    await console.ctx.pool.query('delete from sites; delete from registered_domains; truncate alerts cascade')
    console.clock.set(now)
    asked = []
    known = new Map()
    status = 200
    host.answer((incoming, response) => {
      const name = incoming.url!.split('/').at(-1)!
      asked.push(name)
      const answer = known.get(name)
      response.writeHead(answer ? status : 404, { 'content-type': 'application/rdap+json' })
      response.end(JSON.stringify(answer ?? { errorCode: 404 }))
    })
  })
  afterAll(async () => {
    await console?.close()
    host.close()
  })

  const look = () => runJob(console.ctx, 'probes.registrations')
  const registrationOf = async (id: string) =>
    (await request(console.ctx).as(['sites.read']).get(`/sites/${id}/registration`)).json().registration
  const alerts = async () =>
    (
      await console.ctx.pool.query(
        `select rule, title, status from alerts where rule like 'domain%' order by opened_at`,
      )
    ).rows

  test('asks once a day about each domain, however many sites stand on it', async () => {
    known.set('shop.example', domainOf('shop.example', inDays(100)))
    const ids = [
      await addSite(console, { domain: 'shop.example' }),
      await addSite(console, { domain: 'www.shop.example' }),
      await addSite(console, { domain: 'a.b.shop.example' }),
    ]
    await look()
    await look()
    expect(asked).toEqual(['shop.example'])
    for (const id of ids)
      expect(await registrationOf(id)).toEqual({
        ...{ domain: 'shop.example', expires_at: inDays(100), days_left: 100, registrar: 'Names Ltd' },
        ...{ checked_at: '2026-03-01T09:00:00.000Z', problem: null },
      })
    console.clock.advance(day)
    known.set('shop.example', domainOf('shop.example', inDays(465)))
    await look()
    expect(asked).toEqual(['shop.example', 'shop.example'])
    expect(await registrationOf(ids[0]!)).toMatchObject({ days_left: 464 })
  })

  test('passes over a suffix that others sell names below', async () => {
    known.set('co.example', domainOf('co.example', null))
    known.set('shop.co.example', domainOf('shop.co.example', inDays(9)))
    const id = await addSite(console, { domain: 'www.shop.co.example' })
    await look()
    expect(asked).toEqual(['co.example', 'shop.co.example'])
    expect(await registrationOf(id)).toMatchObject({ domain: 'shop.co.example', days_left: 9 })
  })

  test('what is not answered is unknown, and what was known stays', async () => {
    const id = await addSite(console, { domain: 'shop.example' })
    await look()
    expect(await registrationOf(id)).toMatchObject({
      ...{ domain: null, expires_at: null, problem: 'Domain not found in any registry' },
    })
    known.set('shop.example', domainOf('shop.example', inDays(40)))
    console.clock.advance(day)
    await look()
    expect(await registrationOf(id)).toMatchObject({ domain: 'shop.example', problem: null })
    status = 503
    console.clock.advance(day)
    await look()
    expect(await registrationOf(id)).toMatchObject({
      ...{ domain: 'shop.example', expires_at: inDays(40), problem: 'The registry gave no usable answer (status 503)' },
    })
  })

  test('a site with a new name is looked at anew', async () => {
    known.set('shop.example', domainOf('shop.example', inDays(40)))
    known.set('store.example', domainOf('store.example', inDays(50)))
    const id = await addSite(console, { domain: 'shop.example' })
    await look()
    await console.ctx.pool.query(`update sites set domain = 'store.example' where id = $1`, [id])
    expect(await registrationOf(id)).toMatchObject({ domain: null })
    await look()
    expect(await registrationOf(id)).toMatchObject({ domain: 'store.example', days_left: 50 })
  })

  test('alarms once for each domain, first as a warning, and ends with the renewal', async () => {
    known.set('shop.example', domainOf('shop.example', inDays(29)))
    for (const domain of ['shop.example', 'www.shop.example']) await addSite(console, { domain })
    await look()
    await runJob(console.ctx, 'alerts.evaluate')
    expect(await alerts()).toMatchObject([
      { rule: 'domain.expires', title: 'The domain shop.example expires in 29 days' },
    ])
    console.clock.advance(23 * day)
    await look()
    await runJob(console.ctx, 'alerts.evaluate')
    expect(await alerts()).toMatchObject([
      { rule: 'domain.expires', status: 'resolved' },
      { rule: 'domain.expires_soon', status: 'open', title: 'The domain shop.example expires in 6 days' },
    ])
    known.set('shop.example', domainOf('shop.example', inDays(390)))
    console.clock.advance(day)
    await look()
    await runJob(console.ctx, 'alerts.evaluate')
    expect((await alerts()).map(({ status: each }) => each)).toEqual(['resolved', 'resolved'])
  })

  test('without a sandbox the server of the top-level domain is asked through the guard', async () => {
    const id = await addSite(console, { domain: 'shop.example' })
    const { demoHosts } = console.ctx
    console.ctx.replace({ demoHosts: { ...demoHosts!, rdapUrl: 'http://127.0.0.1/' } })
    await look()
    expect(await registrationOf(id)).toMatchObject({
      ...{ domain: null, problem: expect.stringContaining('not on the public internet') },
    })
    console.ctx.replace({ demoHosts })
  })
})
