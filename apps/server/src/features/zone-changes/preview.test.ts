import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DnsWorld, openDns } from './test/world.ts'

let w: DnsWorld
beforeAll(async () => {
  w = await openDns()
  await w.t.ctx.pool.query(
    `insert into sites (id, site_name, domain, status, created_at, updated_at)
      values ('site_aaaaaaaaaaaaaaaa', 'Casco Bay', 'www.cascobaycoffee.example', 'active', now(), now())`,
  )
})
afterAll(() => w?.close())

const preview = async (query: Record<string, string>) =>
  (await w.reader.get(`${w.base}/preview?${new URLSearchParams(query)}`)).json()

test('says which site, which mail and which name a change touches', async () => {
  const { name } = w.zone
  const apex = await w.find('A', name)
  expect(await preview({ record: apex!.id })).toEqual({
    sites: [{ id: 'site_aaaaaaaaaaaaaaaa', site_name: 'Casco Bay', customer_name: null }],
    sites_total: 1,
    mail: [],
    orphaned: null,
  })
  const mx = await w.find('MX', name)
  expect(await preview({ record: mx!.id, type: 'MX', name: '@', content: 'mx9.example' })).toMatchObject({
    ...{ sites: [], mail: [{ domain: name, reason: 'mx' }], orphaned: null },
  })
  const www = await w.find('CNAME', `www.${name}`)
  expect(await preview({ record: www!.id })).toMatchObject({ sites: [{ site_name: 'Casco Bay' }], orphaned: www!.name })
  expect(await preview({ type: 'TXT', name: 'note', content: 'hello' })).toEqual({
    sites: [],
    sites_total: 0,
    mail: [],
    orphaned: null,
  })
  expect(await preview({ record: 'none' })).toMatchObject({ status: 404 })
})
