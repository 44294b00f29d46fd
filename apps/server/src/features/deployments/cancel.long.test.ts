import { describe, expect, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import {
  addSite,
  auditOf,
  deploy,
  detailsOf,
  ended,
  openConsole,
  sentAbout,
  startRunner,
  useWorld,
} from './test/world.ts'

const world = useWorld({ stageMs: 1500 })

const building = (id: string) =>
  eventually(async () => {
    const found = await detailsOf(world, id)
    expect(found).toMatchObject({ status: 'building', build_id: expect.any(String) })
    return found
  })

describe('a build that runs', () => {
  test('is stopped at Cloudflare, and the next one begins', async () => {
    const site = await addSite(world, 'pages')
    const { id } = await deploy(world, site.id)
    const { provider_deployment_id } = await building(id)
    const { deployment } = (await world.root.post(`/deployments/${id}/cancel`)).json()
    expect(deployment).toMatchObject({ status: 'cancelled', failure: 'Stopped at the host' })
    expect(sentAbout(world, String(provider_deployment_id)).map(({ method }) => method)).toEqual(['DELETE'])
    expect(await auditOf(world, id)).toEqual([
      ...['user deployment.create done', 'user deployment.cancel done', 'user deployment.cancel done'],
    ])
    await building((await deploy(world, site.id)).id)
  })

  test('is ended by another process when the one that was asked is gone', async () => {
    const site = await addSite(world, 'pages')
    const { id } = await deploy(world, site.id)
    const { provider_deployment_id } = await building(id)
    await world.console.ctx.pool.query(
      `update deployments set cancel_requested_at = now(), lease_owner = 'gone', lease_until = now() - interval '1 minute'
       where id = $1`,
      [id],
    )
    expect(await ended(world, id)).toMatchObject({ status: 'cancelled', failure: 'Stopped at the host' })
    expect(sentAbout(world, String(provider_deployment_id)).map(({ method }) => method)).toEqual(['DELETE'])
  })

  test('is left to itself when Cloudflare does not answer, and that is said', async () => {
    const site = await addSite(world, 'pages')
    const { id } = await deploy(world, site.id)
    await building(id)
    world.sandbox.faults.next('cloudflare', 'pages.projects.deployments.delete', { delayMs: 20_000 })
    const { deployment } = (await world.root.post(`/deployments/${id}/cancel`)).json()
    expect(deployment.status).toBe('cancelled')
    expect(deployment.failure).toContain('Not stopped at the host: no answer in time')
  })

  test('at a hook goes on there, and its reports are not taken any more', async () => {
    const site = await addSite(world, 'hook')
    const { id } = await deploy(world, site.id)
    await building(id)
    const { deployment } = (await world.root.post(`/deployments/${id}/cancel`)).json()
    expect(deployment.failure).toContain('deploy hooks cannot be stopped')
    await new Promise((resolve) => setTimeout(resolve, 4000))
    expect(await detailsOf(world, id)).toMatchObject({ status: 'cancelled' })
  })

  test('cancelled while it is being asked for is stopped as soon as the answer comes', async () => {
    const site = await addSite(world, 'pages')
    world.sandbox.faults.next('cloudflare', 'pages.projects.deployments.create', { delayMs: 1500 })
    const { id } = await deploy(world, site.id)
    await eventually(async () => {
      const { rows } = await world.console.ctx.pool.query('select sent_at from deployments where id = $1', [id])
      expect(rows[0].sent_at).not.toBeNull()
    })
    expect((await world.root.post(`/deployments/${id}/cancel`)).json().deployment.status).toBe('cancelled')
    await eventually(async () => expect((await detailsOf(world, id)).failure).toBe('Stopped at the host'))
    expect(sentAbout(world, `${site.project}/deployments`).map(({ method }) => method)).toEqual(['POST', 'DELETE'])
  })
})

test('what waits behind it starts when it is over; two processes start each once', async () => {
  const other = await openConsole(world.sandbox, { database: world.console.database })
  const stopOther = startRunner(other)
  try {
    const sites = [await addSite(world, 'pages'), await addSite(world, 'pages'), await addSite(world, 'pages')]
    const running = await Promise.all(sites.map(({ id }) => deploy(world, id)))
    await Promise.all(running.map(({ id }) => building(id)))
    await world.console.ctx.pool.query(`update deployments set queued_at = queued_at - interval '1 minute'`)
    const [site] = sites
    const next = await deploy(world, String(site?.id))
    expect(next).toMatchObject({ status: 'queued', position: 1 })
    expect(next.waiting_for).toContain('Waiting for another deployment of this project')
    for (const { id } of [...running, next]) expect(await ended(world, id)).toMatchObject({ status: 'success' })
    for (const { project } of sites)
      expect(sentAbout(world, `${project}/deployments`)).toHaveLength(project === site?.project ? 2 : 1)
  } finally {
    await stopOther()
    await other.close()
  }
})
