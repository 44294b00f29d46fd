import type { FaultEffect } from '@agency/sandbox'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { addSite, deploy, detailsOf, ended, sentAbout, useWorld } from './test/world.ts'

const world = useWorld()

const creates = (project: string | null) => sentAbout(world, `${project}/deployments`)
const suffer = (name: string, effect: FaultEffect, times = 1) =>
  world.sandbox.faults.next('cloudflare', `pages.projects.deployments.${name}`, effect, times)

describe('asking Cloudflare to build', () => {
  test('an answer that was lost is looked for, and nothing is asked twice', async () => {
    const site = await addSite(world, 'pages')
    suffer('create', { connection: 'lost' })
    const { id } = await deploy(world, site.id)
    expect(await ended(world, id)).toMatchObject({ status: 'success', served: { matches: true } })
    expect(creates(site.project)).toHaveLength(1)
  })

  test('a call that never arrived is told as such, and leaves the site as it was', async () => {
    const site = await addSite(world, 'pages')
    suffer('create', { connection: 'destroy' })
    const { id } = await deploy(world, site.id)
    await eventually(async () => expect((await detailsOf(world, id)).waiting_for).toContain('did not answer'))
    world.console.clock.advance(25_000)
    const done = await ended(world, id)
    expect(done.failure).toBe('No answer, and the host has no such deployment. Nothing was changed; deploy again')
    const { rows } = await world.console.ctx.pool.query('select status from sites where id = $1', [site.id])
    expect(rows).toEqual([{ status: 'pending' }])
  })

  test('a limit of calls is waited for', async () => {
    const site = await addSite(world, 'pages')
    suffer('create', { status: 429, retryAfter: 1 })
    const { id } = await deploy(world, site.id)
    expect(await ended(world, id)).toMatchObject({ status: 'success' })
  })

  test.each([
    ['a refusal', { status: 400 }],
    ['a token without the right', { status: 403, code: '10000' }],
    ['success: false under status 200', { malformed: 'unsuccessful' }],
  ] as const)('%s ends it, with the reason and a notification', async (_name, effect) => {
    const site = await addSite(world, 'pages')
    const good = await ended(world, (await deploy(world, site.id)).id)
    suffer('create', effect)
    const { id } = await deploy(world, site.id)
    const done = await ended(world, id)
    expect(done.status).toBe('failed')
    expect(done.failure).toContain('Nothing was changed')
    expect((await detailsOf(world, good.id)).can.rollback).toBe('Already live')
    const { notifications } = (await world.root.get('/notifications')).json()
    expect(notifications[0]).toMatchObject({ type: 'deployment.failed', link: `/admin/deployments?open=${id}` })
  })

  test('a site that was suspended while it waited is not built', async () => {
    const site = await addSite(world, 'pages')
    await world.console.ctx.pool.query(
      `with suspended as (update sites set status = 'suspended' where id = $1 returning id)
       insert into deployments (id, site_id, kind, origin, status, provider, lane, same_as, queued_at)
       select 'dep_suspended', id, 'deploy', 'console', 'queued', 'pages', $2, 'deploy::', now() from suspended`,
      [site.id, `pages:${site.project}`],
    )
    const done = await ended(world, 'dep_suspended')
    expect(done).toMatchObject({ status: 'failed', failure: 'The site was suspended. Nothing was changed' })
    expect(creates(site.project)).toHaveLength(0)
  })

  test('an outage while it builds is said, and passes', async () => {
    const site = await addSite(world, 'pages')
    suffer('get', { status: 503 }, 1)
    const { id } = await deploy(world, site.id)
    await eventually(async () => expect((await detailsOf(world, id)).waiting_for).toContain('Cloudflare'))
    expect(await ended(world, id)).toMatchObject({ status: 'success', waiting_for: null })
  })

  test('a build that fails is told with its stage, and can be tried again', async () => {
    const site = await addSite(world, 'pages')
    await world.sandbox.control.scenario('next_build', { project: site.project, outcome: 'failure' })
    const failed = await ended(world, (await deploy(world, site.id)).id)
    expect(failed).toMatchObject({ status: 'failed', failure: 'The stage build failed', can: { retry: null } })
    const answer = await world.root.post(`/deployments/${failed.id}/retry`, {})
    const again = await ended(world, answer.json().deployment.id)
    expect(again).toMatchObject({ status: 'success', kind: 'retry', commit_hash: failed.commit_hash })
    expect(sentAbout(world, `${failed.provider_deployment_id}/retry`)).toHaveLength(1)
  })
})

describe('an environment', () => {
  const secret = 'a-very-secret-value-17'

  test('reaches the build, and never the log, the audit log or an answer', async () => {
    const site = await addSite(world, 'pages')
    const environment = `/sites/${site.id}/environment`
    const save = (version: number, set: object, remove: string[] = []) =>
      world.root.inject({
        method: 'PUT',
        url: `/api${environment}`,
        headers: { 'content-type': 'application/json', 'x-test-actor': writer },
        payload: JSON.stringify({ version, set, remove }),
      })
    expect((await save(0, { API_SECRET: secret, COLOR: 'crimson' })).statusCode).toBe(200)
    const first = await ended(world, (await deploy(world, site.id)).id)
    expect(first.environment_version).toBe(1)
    expect((await save(1, { COLOR: 'blue' }, ['API_SECRET'])).statusCode).toBe(200)
    const second = await ended(world, (await deploy(world, site.id)).id)
    expect(second.environment_version).toBe(2)
    const edits = world.sandbox.requestLog().filter(({ name }) => name === 'pages.projects.edit')
    expect(JSON.stringify(edits.at(-2)?.params)).toContain('API_SECRET')
    expect(JSON.stringify(edits.at(-1)?.params)).toMatch(/"API_SECRET":null/)

    const { preview } = (await world.root.get(`/sites/${site.id}/rollback/preview?to=${first.id}`)).json()
    expect(preview.environment).toEqual({
      ...{ from_version: 2, to_version: 1, added: ['API_SECRET'], removed: [], changed: ['COLOR'], can_restore: true },
    })
    const body = { to: first.id, restore_environment: true }
    const { id } = (await world.root.post(`/sites/${site.id}/rollback`, body)).json().deployment
    const done = await ended(world, id)
    expect(done).toMatchObject({ status: 'success', served: { build_id: first.build_id } })
    expect(done.environment_note).toContain('Restored environment version 1 as version 3')
    const { rows } = await world.console.ctx.pool.query(
      `select (select string_agg(d::text, '') from deployments d) || (select string_agg(l.text, '') from deployment_log_lines l)
        || (select string_agg(a::text, '') from audit_entries a) as everything`,
    )
    expect(rows[0].everything).not.toContain(secret)
  })
})

const writer = JSON.stringify({ role: 'custom', held: ['sites.read', 'sites.write'] })
