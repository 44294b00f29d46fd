import { describe, expect, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { addSite, auditOf, deploy, detailsOf, ended, hookFault, sentAbout, useWorld } from './test/world.ts'

const world = useWorld({ stageMs: 150 })

describe('a builder that answers with 503', () => {
  const linesOf = async (id: string): Promise<string[]> =>
    (await world.root.get(`/deployments/${id}/log`)).json().lines.map(({ text }: { text: string }) => text)

  test('is not said to have taken the call, is not called twice, and is followed', async () => {
    const { clock } = world.console
    const site = await addSite(world, 'hook')
    await ended(world, (await deploy(world, site.id)).id)
    await hookFault(world, site.label, 'down')
    const { id } = await deploy(world, site.id)
    const note = 'The deploy hook answered with status 503; its result is unknown; still checking'
    await eventually(async () => expect(await linesOf(id)).toEqual([note]))
    expect(await detailsOf(world, id)).toMatchObject({ status: 'building', waiting_for: note, build_id: null })
    clock.advance(11 * 60_000)
    const done = await ended(world, id)
    clock.advance(-11 * 60_000)
    expect(done).toMatchObject({ status: 'failed', waiting_for: null, can: { retry: null } })
    expect(done.failure).toBe(
      'The deploy hook answered with status 503 and never reported; after 10 minutes the previous build is still live',
    )
    expect(await linesOf(id)).toEqual([note])
    expect(sentAbout(world, id).map(({ status }) => status)).toEqual([503])
    expect(await auditOf(world, id)).toEqual(['user deployment.create done', 'job deployment.fail failed'])
  })

  test('is told of in the end, whoever goes on with it and whatever keeps it from going on meanwhile', async () => {
    const { ctx, clock } = world.console
    const site = await addSite(world, 'hook')
    await ended(world, (await deploy(world, site.id)).id)
    await hookFault(world, site.label, 'down')
    const { id } = await deploy(world, site.id)
    const note = 'The deploy hook answered with status 503; its result is unknown; still checking'
    const waitsFor = (words: string) =>
      eventually(async () => expect((await detailsOf(world, id)).waiting_for).toContain(words))
    await waitsFor(note)
    await world.rest()
    const { rows } = await ctx.pool.query(
      `with hook as (select hook_url_sealed as url from sites where id = $1)
       update sites set hook_url_sealed = 'of another key' from hook where id = $1 returning hook.url`,
      [site.id],
    )
    world.goOn()
    await waitsFor('The deploy hook was encrypted with another SECRETS_KEY')
    await ctx.pool.query('update sites set hook_url_sealed = $2 where id = $1', [site.id, rows[0].url])
    await eventually(async () => expect(await linesOf(id)).toEqual([note]))
    await waitsFor(note)
    clock.advance(11 * 60_000)
    const done = await ended(world, id)
    clock.advance(-11 * 60_000)
    expect(done.failure).toBe(
      'The deploy hook answered with status 503 and never reported; after 10 minutes the previous build is still live',
    )
    expect(sentAbout(world, id).map(({ status }) => status)).toEqual([503])
  })

  test.each([true, false])('and builds all the same is believed by what follows (reports: %s)', async (callback) => {
    const site = await addSite(world, 'hook', { callback })
    await ended(world, (await deploy(world, site.id)).id)
    await hookFault(world, site.label, 'answer_503')
    const { id } = await deploy(world, site.id)
    expect(await ended(world, id)).toMatchObject({
      ...{ status: 'success', failure: null, waiting_for: null, served: { matches: true } },
    })
    if (callback) await eventually(async () => expect((await linesOf(id))[0]).toBe('Build accepted'))
    expect(sentAbout(world, id)).toHaveLength(1)
  })

  test('and of whose site nothing is known either: no success is claimed', async () => {
    const { ctx, clock } = world.console
    const site = await addSite(world, 'hook', { callback: false })
    const at = new Date(clock.now() - 11 * 60_000)
    await ctx.pool.query(
      `insert into deployments (id, site_id, kind, origin, status, provider, lane, same_as, queued_at, started_at,
         sent_at, accepted_at, known_before, provider_error)
       values ('dep_unclear', $1, 'deploy', 'console', 'building', 'hook', $2, 'deploy::', $3, $3, $3, $3, '{}',
         'The deploy hook answered with status 500')`,
      [site.id, `hook:${site.id}`, at],
    )
    ctx.changes.tell('deployments')
    const done = await ended(world, 'dep_unclear')
    expect(done).toMatchObject({ status: 'failed', served: { matches: null } })
    expect(done.failure).toContain('The deploy hook answered with status 500 and does not report. ')
    expect(done.failure).toContain('unknown whether the build is live')
  })
})
