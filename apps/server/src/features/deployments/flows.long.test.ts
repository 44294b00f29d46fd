import { describe, expect, test } from 'vitest'
import { addSite, auditOf, deploy, detailsOf, ended, sentAbout, useWorld } from './test/world.ts'

const world = useWorld()

const statusOf = async (siteId: string) =>
  (await world.console.ctx.pool.query('select status, last_deployment from sites where id = $1', [siteId])).rows[0]

/** Nobody looked yet: until something happens, the site is due since ever. */
const nextLookAt = async (siteId: string) =>
  (await world.console.ctx.pool.query('select next_at from site_probe_states where site_id = $1', [siteId])).rows[0]
    .next_at

describe.each(['pages', 'hook'] as const)('a site built by %s', (kind) => {
  test('is deployed, with its log and the proof of what is served', async () => {
    const site = await addSite(world, kind)
    const queued = await deploy(world, site.id, { reason: 'New opening hours' })
    expect(queued).toMatchObject({ status: 'queued', kind: 'deploy', reason: 'New opening hours', position: 1 })
    const done = await ended(world, queued.id)
    expect(done).toMatchObject({
      status: 'success',
      failure: null,
      is_log_complete: true,
      requested_by: 'Test super_admin',
    })
    expect(done.served).toMatchObject({ matches: true, source: 'response', build_id: done.build_id })
    expect(done.log_lines).toBeGreaterThan(2)
    expect(done.commit_hash).toMatch(/^[0-9a-f]{7,40}$/)
    expect(await statusOf(site.id)).toMatchObject({ status: 'active', last_deployment: expect.any(Date) })
    expect(await auditOf(world, queued.id)).toEqual(['user deployment.create done', 'job deployment.succeed done'])
    expect(sentAbout(world, kind === 'pages' ? `${site.project}/deployments` : queued.id)).toHaveLength(1)
    expect(await nextLookAt(site.id)).toBeInstanceOf(Date)
  })

  test('goes back to an earlier build, and proves that it is served', async () => {
    const site = await addSite(world, kind)
    const first = await ended(world, (await deploy(world, site.id)).id)
    const second = await ended(world, (await deploy(world, site.id)).id)
    expect(second.build_id).not.toBe(first.build_id)
    const { preview } = (await world.root.get(`/sites/${site.id}/rollback/preview?to=${first.id}`)).json()
    expect(preview).toMatchObject({ blocked: null, from: { id: second.id }, to: { id: first.id } })
    const answer = await world.root.post(`/sites/${site.id}/rollback`, { to: first.id, reason: 'The menu is broken' })
    const done = await ended(world, answer.json().deployment.id)
    expect(done).toMatchObject({ status: 'success', kind: 'rollback', rolled_back_to: first.id, failure: null })
    expect(done.served).toMatchObject({ matches: true, source: 'response', build_id: first.build_id })
    expect((await detailsOf(world, first.id)).can.rollback).toBe('Already live')
    expect((await detailsOf(world, second.id)).can.rollback).toBeNull()
    expect(await auditOf(world, done.id)).toEqual(['user deployment.roll_back done', 'job deployment.succeed done'])
  })
})
