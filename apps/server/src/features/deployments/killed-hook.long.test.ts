import { describe, expect, test } from 'vitest'
import { type Death, startDying } from './test/dying-console.ts'
import { addSite, auditOf, deploy, ended, hookFault, sentAbout, useWorld } from './test/world.ts'

const world = useWorld({ isIdle: true })

/** Lets a process die at its call of the hook; what another one makes of it, and how often the hook was called. */
async function killedAt(when: Death['when'], id: string) {
  const { sandbox, console: main, address } = world
  // So far behind that the lease of the process has run out as soon as it is gone.
  const order = { connectionString: main.database.connectionString, address, shiftMs: -25_000 }
  expect(await startDying(sandbox, { ...order, death: { call: 'hook', when } }).ended).toBe('SIGKILL')
  world.goOn()
  return { done: await ended(world, id), calls: sentAbout(world, id).length }
}

describe('a deployment whose process is killed', () => {
  test('before its call: is given up as lost within a minute, and nothing was sent', async () => {
    const site = await addSite(world, 'hook')
    const { id } = await deploy(world, site.id)
    const { done, calls } = await killedAt('before', id)
    expect(done).toMatchObject({ status: 'failed', failure: expect.stringContaining('Lost worker') })
    expect(calls).toBe(0)
  })

  test.each([
    ['its reports', true],
    ['what the site serves', false],
  ])('answered, and nothing written down: is found by %s, and called once', async (_by, callback) => {
    const site = await addSite(world, 'hook', { callback })
    const { id } = await deploy(world, site.id)
    const { done, calls } = await killedAt('after', id)
    expect(done).toMatchObject({ status: 'success', failure: null, served: { matches: true, source: 'response' } })
    expect(calls).toBe(1)
    expect(await auditOf(world, id)).toEqual(['user deployment.create done', 'job deployment.succeed done'])
  })

  test('answered, and never heard of again: is told as lost, called once, and the next one begins', async () => {
    const site = await addSite(world, 'hook', { callback: false })
    await hookFault(world, site.label, 'fail')
    const { id } = await deploy(world, site.id)
    const { done, calls } = await killedAt('after', id)
    expect(done.status).toBe('failed')
    expect(done.failure).toContain('Check the host before you deploy again')
    expect(calls).toBe(1)
    expect(await ended(world, (await deploy(world, site.id)).id)).toMatchObject({ status: 'success' })
    expect(sentAbout(world, id)).toHaveLength(1)
  })
})

test.each([true, false])('a rollback (reports: %s) that was answered brings the old build back', async (callback) => {
  const site = await addSite(world, 'hook', { callback })
  world.goOn()
  const first = await ended(world, (await deploy(world, site.id)).id)
  await ended(world, (await deploy(world, site.id)).id)
  await world.rest()
  const { id } = (await world.root.post(`/sites/${site.id}/rollback`, { to: first.id })).json().deployment
  const { done, calls } = await killedAt('after', id)
  expect(done).toMatchObject({ status: 'success', served: { matches: true, build_id: first.build_id } })
  expect(calls).toBe(1)
})
