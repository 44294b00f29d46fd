import { describe, expect, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { type Death, startDying } from './test/dying-console.ts'
import { addSite, auditOf, deploy, ended, type HostedSite, pace, sentAbout, useWorld } from './test/world.ts'

const world = useWorld({ stageMs: 250, isIdle: true })

/** So far behind that the lease of the process has run out as soon as it is gone. */
const shiftMs = -25_000

const child = (death: Death | null) =>
  startDying(world.sandbox, {
    connectionString: world.console.database.connectionString,
    address: world.address,
    death,
    shiftMs,
  })

/** Kills the process that works on it as soon as this is true of its row. */
async function killWhen(id: string, condition: string): Promise<void> {
  const dying = child(null)
  await eventually(async () => {
    const { rows } = await world.console.ctx.pool.query(
      `select 1 from deployments d where id = $1 and (${condition})`,
      [id],
    )
    if (rows.length === 0) throw new Error(`It is never ${condition}`)
  })
  await dying.kill()
}

const startsOf = (site: HostedSite, id: string) =>
  site.provider === 'pages' ? sentAbout(world, `${site.project}/deployments`) : sentAbout(world, id)

const notAlwaysSent: Death[] = [
  { call: 'listDeployments', when: 'before' },
  { call: 'listDeployments', when: 'after' },
  { call: 'createDeployment', when: 'after' },
  { call: 'findDeployment', when: 'before' },
  { call: 'findDeployment', when: 'after' },
  { call: 'getBuildLog', when: 'before' },
  { call: 'getBuildLog', when: 'after' },
  { call: 'findDeployment', nth: 2, when: 'after' },
]

describe('killed at a call to Cloudflare', () => {
  test.each(notAlwaysSent)('$when $call ($nth): goes on, and is started once', async (death) => {
    const site = await addSite(world, 'pages')
    const { id } = await deploy(world, site.id)
    expect(await child(death).ended).toBe('SIGKILL')
    world.goOn()
    const done = await ended(world, id)
    expect(done).toMatchObject({ status: 'success', served: { matches: true }, failure: null })
    expect(startsOf(site, id)).toHaveLength(1)
    expect(await auditOf(world, id)).toEqual(['user deployment.create done', 'job deployment.succeed done'])
    const numbers = (await world.root.get(`/deployments/${id}/log?limit=2000`)).json().lines
    expect(numbers.map(({ number }: { number: number }) => number)).toEqual(
      Array.from({ length: done.log_lines }, (_, index) => index + 1),
    )
  })

  test('before the call itself: is given up as lost within a minute, and nothing was sent', async () => {
    const site = await addSite(world, 'pages')
    const { id } = await deploy(world, site.id)
    expect(await child({ call: 'createDeployment', when: 'before' }).ended).toBe('SIGKILL')
    world.goOn()
    const done = await ended(world, id)
    expect(done.status).toBe('failed')
    expect(done.failure).toContain('Lost worker')
    expect(startsOf(site, id)).toHaveLength(0)
    await ended(world, (await deploy(world, site.id)).id)
    expect(startsOf(site, id)).toHaveLength(1)
  })
})

describe.each(['pages', 'hook'] as const)('killed while %s works', (kind) => {
  test.each([
    ['building', "status = 'building' and accepted_at is not null"],
    ['deploying', "status = 'deploying'"],
    ['writing its log', 'exists (select from deployment_log_lines l where l.deployment_id = d.id)'],
    ['proving what is served', 'built_at is not null'],
  ])('%s', async (_name, condition) => {
    const site = await addSite(world, kind)
    const { id } = await deploy(world, site.id)
    await killWhen(id, condition)
    world.goOn()
    expect(await ended(world, id)).toMatchObject({ status: 'success', served: { matches: true } })
    expect(startsOf(site, id)).toHaveLength(1)
  })
})

describe('a rollback', () => {
  test.each(['before', 'after'] as const)('killed %s its call brings the old build back', async (when) => {
    await pace(world, 60)
    const site = await addSite(world, 'pages')
    world.goOn()
    const first = await ended(world, (await deploy(world, site.id)).id)
    await ended(world, (await deploy(world, site.id)).id)
    await world.rest()
    const { id } = (await world.root.post(`/sites/${site.id}/rollback`, { to: first.id })).json().deployment
    expect(await child({ call: 'rollBackTo', when }).ended).toBe('SIGKILL')
    world.goOn()
    const done = await ended(world, id)
    const sent = sentAbout(world, `${first.provider_deployment_id}/rollback`)
    if (when === 'before') {
      expect(done).toMatchObject({ status: 'failed', failure: expect.stringContaining('Lost worker') })
      expect(sent).toHaveLength(0)
    } else {
      expect(done).toMatchObject({ status: 'success', served: { matches: true, build_id: first.build_id } })
      expect(sent).toHaveLength(1)
    }
  })
})
