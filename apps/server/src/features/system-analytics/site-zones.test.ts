import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'

let t: TestContext
beforeAll(async () => {
  t = await createTestContext()
})
afterAll(() => t?.close())

type Zone = { name: string; isOurs: boolean }
const name = fc.array(fc.constantFrom('a', 'b', 'shop'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'))
const zones = fc.array(fc.record({ name, isOurs: fc.boolean() }), { maxLength: 12 })
const idOf = (prefix: string, index: number): string => `${prefix}${String(index).padStart(16, '0')}`

/** The zone with the longest name that ends the domain, of two of one name the first; and how many sites live in it. */
function expected(domains: readonly string[], all: readonly Zone[]): [site: string, zone: string, sites: number][] {
  const homes = domains.flatMap((domain, index) => {
    const fits = all.flatMap((zone, at) =>
      zone.isOurs && `.${domain}`.endsWith(`.${zone.name}`)
        ? [{ id: idOf('zone_', at), length: zone.name.length }]
        : [],
    )
    const [home] = fits.toSorted((a, b) => b.length - a.length || a.id.localeCompare(b.id))
    return home ? [{ site: idOf('site_', index), zone: home.id }] : []
  })
  return homes.map(({ site, zone }) => [site, zone, homes.filter((home) => home.zone === zone).length])
}

test('a site lives in the zone with the longest name that ends its domain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { maxLength: 12 }), zones, async (domains, all) => {
      const { pool } = t.ctx
      await pool.query('delete from sites; delete from domains')
      await pool.query(
        `insert into sites (id, site_name, domain, status, created_at, updated_at)
         select id, id, domain, 'active', now(), now() from unnest($1::text[], $2::text[]) s (id, domain)`,
        [domains.map((_, index) => idOf('site_', index)), domains],
      )
      await pool.query(
        `insert into domains (id, connection, name, paused, name_servers, original_name_servers)
         select id, connection, name, false, '{}', '{}' from unnest($1::text[], $2::text[], $3::text[]) d (id, connection, name)`,
        [
          all.map((_, index) => idOf('zone_', index)),
          all.map(({ isOurs }) => (isOurs ? 'ours' : 'theirs')),
          all.map((zone) => zone.name),
        ],
      )
      const { rows } = await pool.query(`select site_id, zone_id, sites::int from site_zones('ours') order by site_id`)
      expect(rows.map(({ site_id, zone_id, sites }) => [site_id, zone_id, sites])).toEqual(expected(domains, all))
    }),
    { numRuns: 150 },
  )
})
