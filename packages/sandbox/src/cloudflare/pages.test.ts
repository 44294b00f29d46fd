import { type IncomingMessage, request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { all, cloudflareOf, useSandbox } from '../../test/sandbox.ts'

// The clock stands still; builds go on when it is moved.
const now = Date.now()
const stageMs = 1000
const world = useSandbox({
  size: { customers: 21 },
  now: () => now,
  cloudflare: { requestLimit: 0, stageMs },
})
const pages = () => cloudflareOf(world.sandbox).pages.projects
const account = () => ({ account_id: world.sandbox.cloudflare.accountId })
const of = (project_name: string) => ({ ...account(), project_name })

const read = (project: string, id: string) => pages().deployments.get(id, of(project))
/** A change that the SDK's types may not allow. */
const edit = (change: object) => pages().edit('cascobaycoffee', { ...account(), ...change })
const canonical = async (project: string) => (await pages().get(project, account())).canonical_deployment?.id
const served = async (project: string) => (await world.sandbox.control.served(`${project}.example`))?.build

/** Opens the site as a browser does. */
const open = (host: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const { httpPort: port } = world.sandbox.hosting
    request({ host: '127.0.0.1', port, path: '/', headers: { host }, agent: false }, (answer) => {
      answer.resume()
      resolve(answer)
    })
      .once('error', reject)
      .end()
  })

async function finished(project: string, id: string) {
  await world.sandbox.advance(10 * stageMs)
  return await read(project, id)
}

describe('projects', () => {
  test('are listed page by page, each with its domains and what it serves', async () => {
    const projects = await all(pages().list(account()))
    expect(projects.length).toBeGreaterThan(10)
    expect(new Set(projects.map(({ id }) => id)).size).toBe(projects.length)
    const project = projects.find(({ name }) => name === 'cascobaycoffee')
    expect(project).toMatchObject({
      domains: ['cascobaycoffee.pages.dev', 'cascobaycoffee.example', 'www.cascobaycoffee.example'],
      production_branch: 'main',
      canonical_deployment: { environment: 'production', latest_stage: { name: 'deploy', status: 'success' } },
    })
  })

  test('have a credible past: two dozen builds, some failed, some of other branches', async () => {
    const past = await all(pages().deployments.list('cascobaycoffee', account()))
    expect(past.length).toBeGreaterThan(20)
    const moments = past.map(({ created_on }) => created_on)
    expect([...moments].sort().reverse()).toEqual(moments)
    const preview = await all(pages().deployments.list('cascobaycoffee', { ...account(), env: 'preview' }))
    const production = await all(pages().deployments.list('cascobaycoffee', { ...account(), env: 'production' }))
    expect(preview.length + production.length).toBe(past.length)
    expect(preview.length).toBeGreaterThan(0)
    const failed = (await all(pages().list(account()))).map(({ name }) => name)
    const statuses = await Promise.all(failed.map((name) => all(pages().deployments.list(name, account()))))
    expect(statuses.flat().some(({ latest_stage }) => latest_stage.status === 'failure')).toBe(true)
    const skipped = statuses.flat().filter(({ is_skipped }) => is_skipped)
    expect(skipped.map(({ latest_stage: { name, status } }) => `${name} ${status}`)).toContain('queued skipped')
    expect(statuses.flat().some(({ deployment_trigger: { metadata } }) => metadata.commit_message.includes('<'))).toBe(
      true,
    )
  })

  test('variables are changed one by one, reach the next build, and secrets are never shown', async () => {
    const change = {
      GREETING: { type: 'plain_text', value: 'hello' },
      API_KEY: { type: 'secret_text', value: 'not to be seen' },
      MAIL_TOKEN: null,
    } as const
    const changed = await pages().edit('lobsterandco', {
      ...account(),
      deployment_configs: { production: { env_vars: change } },
    })
    const expected = {
      GREETING: { type: 'plain_text', value: 'hello' },
      API_KEY: { type: 'secret_text', value: '' },
      NODE_VERSION: { type: 'plain_text' },
    }
    expect(changed.deployment_configs.production.env_vars).toMatchObject(expected)
    expect(changed.deployment_configs.production.env_vars).not.toHaveProperty('MAIL_TOKEN')
    const built = await pages().deployments.create('lobsterandco', account())
    expect(built.env_vars).toMatchObject(expected)
    expect(JSON.stringify(await pages().get('lobsterandco', account()))).not.toContain('not to be seen')
  })

  test.each([
    ['an unknown project', () => pages().get('nothing', account()), 404, 8000007],
    ['another account', () => pages().get('cascobaycoffee', { account_id: '0'.repeat(32) }), 404, 7003],
    ['a page that is too large', () => pages().list({ ...account(), per_page: 50 }), 400, 8000024],
    [
      'a variable that is none',
      () =>
        edit({ deployment_configs: { production: { env_vars: { 'no name': { type: 'plain_text', value: 'x' } } } } }),
      400,
      1004,
    ],
    ['a build setting of another kind', () => edit({ build_config: { root_dir: 5 } }), 400, 1004],
    ['a build setting that it does not have', () => edit({ build_config: { colour: 'red' } }), 400, 1004],
    ['no build settings at all', () => edit({ build_config: null }), 400, 1004],
    ['an environment that it does not have', () => edit({ deployment_configs: { staging: {} } }), 400, 1004],
    ['an environment that is none', () => edit({ deployment_configs: { preview: null } }), 400, 1004],
    [
      'what it does not honour of an environment',
      () => edit({ deployment_configs: { preview: { compatibility_date: '2026-01-01' } } }),
      400,
      1004,
    ],
    ['a branch that is none', () => edit({ production_branch: 5 }), 400, 1004],
  ])('refuses %s', async (_name, ask, status, code) => {
    await expect(ask()).rejects.toMatchObject({ status, errors: [{ code }] })
  })
})

describe('a build', () => {
  const project = 'northfieldvet'

  test('goes through its stages, its log grows, and then it is served', async () => {
    const before = await canonical(project)
    const created = await pages().deployments.create(project, { ...account(), branch: 'main' })
    expect(created.latest_stage).toMatchObject({ name: 'queued', status: 'active' })
    expect(created.stages.map(({ name }) => name)).toEqual(['queued', 'initialize', 'clone_repo', 'build', 'deploy'])
    expect(await canonical(project)).toBe(before)
    const log = () => pages().deployments.history.logs.get(created.id, of(project))
    expect((await log()).total).toBe(0)
    await world.sandbox.advance(2.5 * stageMs)
    const early = await log()
    expect(early.total).toBeGreaterThan(3)
    const done = await finished(project, created.id)
    expect(done.latest_stage).toMatchObject({ name: 'deploy', status: 'success' })
    const late = await log()
    expect(late.total).toBe(late.data.length)
    expect(late.total).toBeGreaterThan(early.total)
    expect(late.data.slice(0, early.total)).toEqual(early.data)
    expect(late.data.at(-1)?.line).toBe('Success: Your site was deployed!')
    expect(await canonical(project)).toBe(created.id)
    expect(await served(project)).toBe(created.id)
  })

  test('of another branch is a preview, and is not served in production', async () => {
    const before = await canonical(project)
    const preview = await pages().deployments.create(project, {
      ...account(),
      branch: 'try-out',
      commit_hash: 'a'.repeat(40),
      commit_message: 'Try it',
    })
    expect(preview).toMatchObject({
      environment: 'preview',
      deployment_trigger: { metadata: { commit_hash: 'a'.repeat(40), commit_message: 'Try it', branch: 'try-out' } },
    })
    expect((await finished(project, preview.id)).aliases).toEqual([`https://try-out.${project}.pages.dev`])
    expect(await canonical(project)).toBe(before)
  })

  test('that fails says why in its log and changes nothing that is served', async () => {
    const before = await canonical(project)
    await world.sandbox.control.scenario('next_build', { project, outcome: 'failure' })
    const failed = await pages().deployments.create(project, account())
    expect((await finished(project, failed.id)).latest_stage).toMatchObject({ name: 'build', status: 'failure' })
    const { data } = await pages().deployments.history.logs.get(failed.id, of(project))
    expect(data.map(({ line }) => line)).toContainEqual(expect.stringContaining('exited with code: 1'))
    expect(await canonical(project)).toBe(before)
    const again = await pages().deployments.retry(failed.id, of(project))
    expect(again.id).not.toBe(failed.id)
    expect(again.deployment_trigger.metadata.commit_hash).toBe(failed.deployment_trigger.metadata.commit_hash)
    expect((await finished(project, again.id)).latest_stage.status).toBe('success')
    expect(await served(project)).toBe(again.id)
  })

  test('asked for twice is built twice: there is no protection', async () => {
    const both = await Promise.all([1, 2].map(() => pages().deployments.create(project, account())))
    expect(new Set(both.map(({ id }) => id)).size).toBe(2)
  })

  test('can be taken away while it runs, but not while it is served', async () => {
    const running = await pages().deployments.create(project, account())
    expect(await pages().deployments.delete(running.id, of(project))).toBeNull()
    await expect(read(project, running.id)).rejects.toMatchObject({ status: 404, errors: [{ code: 8000009 }] })
    const live = await canonical(project)
    await expect(pages().deployments.delete(live!, of(project))).rejects.toMatchObject({ status: 400 })
  })

  test('that somebody stops is canceled, and never served', async () => {
    const stopped = await pages().deployments.create(project, account())
    await world.sandbox.advance(stageMs)
    await world.sandbox.control.scenario('cancel_build', { project })
    const { latest_stage: latest } = await read(project, stopped.id)
    expect(latest).toMatchObject({ status: 'canceled', ended_on: expect.any(String) })
    await world.sandbox.advance(60_000)
    expect((await read(project, stopped.id)).latest_stage).toEqual(latest)
    expect(await canonical(project)).not.toBe(stopped.id)
    await expect(pages().deployments.rollback(stopped.id, of(project))).rejects.toMatchObject({ status: 400 })
    await expect(world.sandbox.control.scenario('cancel_build', { project })).rejects.toThrow(/Nothing is being built/)
  })

  test('may have a log of a hundred thousand lines', async () => {
    await world.sandbox.control.scenario('next_build', { project, outcome: 'success', lines: 100_000 })
    const long = await pages().deployments.create(project, account())
    await finished(project, long.id)
    expect((await pages().deployments.history.logs.get(long.id, of(project))).total).toBeGreaterThan(100_000)
  })

  test('comes also from a push', async () => {
    const { deployment } = await world.sandbox.control.scenario('push', { project, message: 'By hand' })
    expect(await read(project, String(deployment))).toMatchObject({
      deployment_trigger: { type: 'github:push', metadata: { commit_message: 'By hand' } },
    })
  })

  test('of a site whose builds fail, fails', async () => {
    const failing = await pages().deployments.create('wisniewski-foto', account())
    expect((await finished('wisniewski-foto', failing.id)).latest_stage.status).toBe('failure')
  })
})

describe('a rollback', () => {
  const project = 'brunswicklaw'

  test('serves the old build again, until a newer one succeeds', async () => {
    const past = await all(pages().deployments.list(project, { ...account(), env: 'production' }))
    const [current, older] = past.filter(({ latest_stage: { status } }) => status === 'success')
    expect(await canonical(project)).toBe(current!.id)
    expect((await pages().deployments.rollback(older!.id, of(project))).id).toBe(older!.id)
    expect(await canonical(project)).toBe(older!.id)
    expect(await served(project)).toBe(older!.id)
    expect((await open(`${project}.localhost`)).headers['x-build-id']).toBe(older!.id)
    const next = await pages().deployments.create(project, account())
    await finished(project, next.id)
    expect(await served(project)).toBe(next.id)
  })

  test('goes only to successful builds of production that are not served anyway', async () => {
    const past = await all(pages().deployments.list('foghorn-restorers', account()))
    const preview = past.find(({ environment }) => environment === 'preview')
    const to = (id: string) => pages().deployments.rollback(id, of('foghorn-restorers'))
    await expect(to(preview!.id)).rejects.toMatchObject({ status: 400, errors: [{ code: 8000039 }] })
    await expect(to((await canonical('foghorn-restorers'))!)).rejects.toMatchObject({ errors: [{ code: 8000040 }] })
    const running = await pages().deployments.create('foghorn-restorers', account())
    await expect(to(running.id)).rejects.toMatchObject({ errors: [{ code: 8000039 }] })
  })
})

describe('custom domains', () => {
  const project = 'kennebectimber'
  const domain = `${project}.example`
  const { list, create, remove } = {
    list: () => all(pages().domains.list(project, account())),
    create: (name: string) => pages().domains.create(project, { ...account(), name }),
    remove: (name: string) => pages().domains.delete(name, of(project)),
  }

  test('a detached domain is served no more, attached again it is', async () => {
    expect((await list()).map(({ name, status }) => [name, status])).toEqual([
      [domain, 'active'],
      [`www.${domain}`, 'active'],
    ])
    await remove(domain)
    expect(await served(project)).toBeUndefined()
    expect((await open(`${project}.localhost`)).statusCode).toBe(522)
    expect((await list()).map(({ name }) => name)).toEqual([`www.${domain}`])
    expect(await create(domain)).toMatchObject({ name: domain, status: 'initializing' })
    expect(await served(project)).toBe(await canonical(project))
    expect((await open(`${project}.localhost`)).statusCode).toBe(200)
    await world.sandbox.advance(stageMs)
    expect((await pages().domains.get(domain, of(project))).status).toBe('active')
  })

  test.each([
    ['a domain that is there', () => create(domain), 409, 8000018],
    ["a domain of another project's", () => create('lobsterandco.example'), 409, 8000018],
    ['what is no host name', () => create('https://x.example/'), 400, 8000020],
    ['taking away what is not there', () => remove('other.example'), 404, 8000021],
  ])('refuses %s', async (_name, ask, status, code) => {
    await expect(ask()).rejects.toMatchObject({ status, errors: [{ code }] })
  })
})
