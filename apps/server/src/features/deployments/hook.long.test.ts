import { request as httpRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { signedHeaders } from './providers/hook-signature.ts'
import { addSite, deploy, detailsOf, ended, hookFault, useWorld } from './test/world.ts'

const world = useWorld({ stageMs: 150 })

describe('a builder', () => {
  test('that fails is believed, with its reason', async () => {
    const site = await addSite(world, 'hook')
    const first = await ended(world, (await deploy(world, site.id)).id)
    const second = await ended(world, (await deploy(world, site.id)).id)
    await hookFault(world, site.label, 'fail')
    const { id } = (await world.root.post(`/sites/${site.id}/rollback`, { to: first.id })).json().deployment
    expect(await ended(world, id)).toMatchObject({
      ...{ status: 'failed', failure: 'The old build could not be brought back' },
    })
    expect((await detailsOf(world, second.id)).can.rollback).toBe('Already live')
    await hookFault(world, site.label, 'fail')
    const done = await ended(world, (await deploy(world, site.id)).id)
    expect(done).toMatchObject({ status: 'failed', failure: 'The build command ended with exit code 1' })
    expect(done.log_lines).toBeGreaterThan(1)
  })

  test.each(['twice', 'out_of_order'])('that reports %s ends the same', async (fault) => {
    const site = await addSite(world, 'hook')
    await hookFault(world, site.label, fault)
    const { id } = await deploy(world, site.id)
    expect(await ended(world, id)).toMatchObject({ status: 'success', served: { matches: true } })
    await eventually(async () => {
      const { lines } = (await world.root.get(`/deployments/${id}/log`)).json()
      const texts = lines.map(({ text }: { text: string }) => text)
      expect(texts).not.toContain('(line missing)')
      expect(lines.map(({ number }: { number: number }) => number)).toEqual(
        texts.map((_: string, at: number) => at + 1),
      )
    })
  })

  test.each(['no_callback', 'wrong_signature'])('with %s is found by what the site serves', async (fault) => {
    const site = await addSite(world, 'hook')
    await hookFault(world, site.label, fault)
    const { id } = await deploy(world, site.id)
    await eventually(async () => expect((await detailsOf(world, id)).build_id).not.toBeNull())
    world.console.clock.advance(150_000)
    expect(await ended(world, id)).toMatchObject({ status: 'success', served: { matches: true } })
    world.console.clock.advance(-150_000)
  })

  test('that was given no address to report to is found by what the site serves', async () => {
    const site = await addSite(world, 'hook', { callback: false })
    const { id } = await deploy(world, site.id)
    expect(await ended(world, id)).toMatchObject({ status: 'success', served: { source: 'response' } })
  })
})

describe('a builder that does not name its build, and does not report', () => {
  const longMs = 11 * 60_000

  /** Its call was taken; how it ends, by what the site served before and serves now. */
  async function endingAfter(siteId: string, before: string[]) {
    const { ctx, clock } = world.console
    const id = `dep_unnamed_${before.length}_${before[0] ?? ''}`
    const at = new Date(clock.now())
    await ctx.pool.query(
      `insert into deployments (id, site_id, kind, origin, status, provider, lane, same_as, queued_at, started_at,
         sent_at, accepted_at, known_before)
       values ($1, $2, 'deploy', 'console', 'building', 'hook', $3, $1, $4, $4, $4, $4, $5)`,
      [id, siteId, `hook:${siteId}`, at, before],
    )
    ctx.changes.tell('deployments')
    return ended(world, id)
  }

  test('ends with what the site serves: another build, the same one, or nobody knows', async () => {
    const { clock } = world.console
    const site = await addSite(world, 'hook')
    const { build_id } = await ended(world, (await deploy(world, site.id)).id)
    const served = String(build_id)
    expect(await endingAfter(site.id, ['bld_of_before'])).toMatchObject({ status: 'success', build_id: served })
    const waiting = endingAfter(site.id, [served])
    await eventually(async () => expect((await detailsOf(world, `dep_unnamed_1_${served}`)).status).toBe('building'))
    clock.advance(longMs)
    expect(await waiting).toMatchObject({
      status: 'failed',
      failure: expect.stringContaining('after 10 minutes the previous build is still live'),
    })
    const unknown = endingAfter(site.id, [])
    await eventually(async () => expect((await detailsOf(world, 'dep_unnamed_0_')).status).toBe('building'))
    clock.advance(longMs)
    const done = await unknown
    clock.advance(-2 * longMs)
    expect(done).toMatchObject({ status: 'success', served: { matches: null } })
    expect(done.served?.detail).toContain('unknown whether the build is live')
  })
})

const post = (path: string, body: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(`${world.address}${path}`, { method: 'POST', headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end(body)
  })

test('a report counts once, when it is signed, fresh and ours', async () => {
  const { ctx, clock } = world.console
  const site = await addSite(world, 'hook')
  const secret = site.hook?.secret ?? ''
  const token = 'a-token-of-this-test'
  const { hashOfToken } = await import('./runner/order.ts')
  await ctx.pool.query(
    `insert into deployments (id, site_id, kind, origin, status, provider, lane, same_as, queued_at, accepted_at,
       lease_until, callback_hash)
     values ('dep_report', $1, 'deploy', 'console', 'building', 'hook', $2, 'deploy::', now(), now(),
       now() + interval '1 hour', $3)`,
    [site.id, `hook:${site.id}`, hashOfToken(token)],
  )
  const at = new Date(clock.now()).toISOString()
  const report = JSON.stringify({ status: 'deploying', build_id: 'b', log: { from: 0, lines: [{ at, text: 'one' }] } })
  const path = `/deploy-callbacks/${token}`
  const good = signedHeaders(secret, report, clock.now())
  expect(await post('/deploy-callbacks/unknown', report, good)).toBe(404)
  expect(await post(path, report, {})).toBe(400)
  expect(await post(path, report, signedHeaders('another', report, clock.now()))).toBe(400)
  expect(await post(path, `${report} `, good)).toBe(400)
  expect(await post(path, report, signedHeaders(secret, report, clock.now() - 400_000))).toBe(400)
  expect(await post(path, '{"status":1}', signedHeaders(secret, '{"status":1}', clock.now()))).toBe(400)
  expect(await detailsOf(world, 'dep_report')).toMatchObject({ status: 'building', log_lines: 0 })
  expect([await post(path, report, good), await post(path, report, good)]).toEqual([200, 200])
  const late = JSON.stringify({ status: 'building', build_id: 'other' })
  expect(await post(path, late, signedHeaders(secret, late, clock.now()))).toBe(200)
  await expect
    .poll(() => detailsOf(world, 'dep_report'))
    .toMatchObject({ status: 'deploying', build_id: 'b', log_lines: 1 })
  await ctx.pool.query("update deployments set status = 'cancelled', completed_at = now() where id = 'dep_report'")
  const last = JSON.stringify({ status: 'success', build_id: 'b' })
  expect(await post(path, last, signedHeaders(secret, last, clock.now()))).toBe(410)
})
