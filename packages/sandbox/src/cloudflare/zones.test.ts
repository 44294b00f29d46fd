import { describe, expect, test } from 'vitest'
import { all, cloudflareOf, useSandbox } from '../../test/sandbox.ts'

const world = useSandbox({ size: { customers: 12, zones: 60 } })
const client = () => cloudflareOf(world.sandbox)
const zone = async (name: string) => (await all(client().zones.list({ name, per_page: 5 })))[0]!

describe('zones', () => {
  test('every zone is listed once, page by page, in the order that is asked for', async () => {
    const zones = await all(client().zones.list({ per_page: 7, order: 'name', direction: 'asc' }))
    expect(zones).toHaveLength(59)
    expect(new Set(zones.map(({ id }) => id)).size).toBe(59)
    const names = zones.map(({ name }) => name).filter((name) => /^[a-z0-9.-]+$/.test(name))
    expect([...names].sort((a, b) => (a < b ? -1 : 1))).toEqual(names)
    const first = await client().zones.list({ per_page: 50 })
    expect(first.result_info).toMatchObject({ page: 1, per_page: 50, count: 50, total_count: 59, total_pages: 2 })
  })

  test('filters by name, status, type and account', async () => {
    expect((await zone('cascobaycoffee.example')).name).toBe('cascobaycoffee.example')
    expect((await zone('contains:casco')).name).toContain('casco')
    const pending = await all(client().zones.list({ status: 'pending' }))
    expect(pending.map(({ name }) => name)).toEqual(['anchor-and-oar.example'])
    expect((await all(client().zones.list({ type: ['internal'] }))).map(({ name }) => name)).toEqual([
      'internal-tools.example',
    ])
    expect(await all(client().zones.list({ account: { id: '0'.repeat(32) } }))).toEqual([])
  })

  test('tells what stands for one zone, its encryption and its DNSSEC', async () => {
    const { id } = await zone('harborandpine.example')
    expect(await client().zones.get({ zone_id: id })).toMatchObject({
      id,
      status: 'active',
      plan: { legacy_id: 'business' },
    })
    expect(await client().zones.settings.get('ssl', { zone_id: id })).toMatchObject({ id: 'ssl', value: 'strict' })
    expect(await client().dns.dnssec.get({ zone_id: id })).toMatchObject({ status: 'active', algorithm: '13' })
  })

  test('are paused, and have settings that are changed', async () => {
    const { id } = await zone('harborandpine.example')
    const in_zone = { zone_id: id }
    expect(await client().zones.settings.get('min_tls_version', in_zone)).toMatchObject({
      value: '1.0',
      editable: true,
    })
    for (const [setting, value] of [
      ['ssl', 'full'],
      ['always_use_https', 'on'],
      ['min_tls_version', '1.2'],
    ] as const) {
      expect(await client().zones.settings.edit(setting, { ...in_zone, value })).toMatchObject({ id: setting, value })
      expect(await client().zones.settings.get(setting, in_zone)).toMatchObject({ id: setting, value })
    }
    expect(await client().zones.edit({ ...in_zone, paused: true })).toMatchObject({ id, paused: true })
    expect(await client().zones.get(in_zone)).toMatchObject({ paused: true })
    await client().zones.edit({ ...in_zone, paused: false })
    await client().zones.settings.edit('ssl', { ...in_zone, value: 'strict' })
  })

  test.each([
    ['a value that there is not', (zone_id: string) => client().zones.settings.edit('ssl', { zone_id, value: 'best' })],
    [
      'a setting that there is not',
      (zone_id: string) => client().zones.settings.edit('none', { zone_id, value: 'on' }),
    ],
    ['a change of nothing', (zone_id: string) => client().zones.edit({ zone_id })],
    ['what the sandbox does not know', (zone_id: string) => client().zones.edit({ zone_id, type: 'partial' })],
  ])('refuse %s', async (_name, edit) => {
    const { id } = await zone('harborandpine.example')
    await expect(edit(id)).rejects.toMatchObject({
      status: expect.toSatisfy((status) => status === 400 || status === 404),
    })
  })

  test('a plan may be missing or empty, and a text hostile', async () => {
    expect(await zone('pinewood-parking.example')).not.toHaveProperty('plan')
    expect((await zone('empty-fields.example')).plan).toMatchObject({ id: '', name: '' })
    const hostile = (await all(client().zones.list())).find(({ name }) => name.includes('<img'))
    expect(hostile?.original_registrar).toContain('<script>')
  })

  test('zones come, change and go', async () => {
    await world.sandbox.control.scenario('add_zone', { zone: 'newcomer.example' })
    await world.sandbox.control.scenario('change_zone', { zone: 'newcomer.example', status: 'moved', paused: true })
    expect(await zone('newcomer.example')).toMatchObject({ status: 'moved', paused: true })
    await world.sandbox.control.scenario('remove_zone', { zone: 'newcomer.example' })
    expect(await zone('newcomer.example')).toBeUndefined()
  })

  test.each([
    ['a page that is too large', () => client().zones.list({ per_page: 51 }), 400],
    ['a page that is too small', () => client().zones.list({ per_page: 4 }), 400],
    ['an unknown status', () => client().zones.list({ status: 'closed' as 'active' }), 400],
    ['an unknown order', () => client().zones.list({ order: 'age' as 'name' }), 400],
    ['an unknown zone', () => client().zones.get({ zone_id: 'f'.repeat(32) }), 404],
    ['an unknown address', () => client().get('/unicorns'), 404],
    ['a method that does not suit', () => client().delete('/zones'), 405],
  ])('refuses %s', async (_name, ask, status) => {
    await expect(ask()).rejects.toMatchObject({ status })
  })
})

describe('DNS records', () => {
  test('are listed whole, with every kind that a site needs', async () => {
    const { id } = await zone('cascobaycoffee.example')
    const records = await all(client().dns.records.list({ zone_id: id, per_page: 4 }))
    expect(new Set(records.map(({ type }) => type))).toEqual(
      new Set(['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'CAA', ...(records.some(({ type }) => type === 'NS') ? ['NS'] : [])]),
    )
    expect(await all(client().dns.records.list({ zone_id: id, type: 'MX' }))).toHaveLength(2)
    expect(new Set(records.map((record) => record.id)).size).toBe(records.length)
  })

  test('some are very long, some hostile', async () => {
    const { id } = await zone('bobbytables.example')
    const contents = (await all(client().dns.records.list({ zone_id: id }))).map(({ content }) => content ?? '')
    expect(contents.some((content) => content.includes('<script>'))).toBe(true)
    const lengths = await Promise.all(
      (await all(client().zones.list({ per_page: 50 }))).map(async (each) => {
        const records = await all(client().dns.records.list({ zone_id: each.id, type: 'TXT' }))
        return Math.max(0, ...records.map(({ content }) => content?.length ?? 0))
      }),
    )
    expect(Math.max(...lengths)).toBeGreaterThan(4000)
  })
})
