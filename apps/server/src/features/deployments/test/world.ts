import type { DeploymentDetails } from '@agency/contract/types'
import { type RequestLogEntry, remoteControl, type Sandbox } from '@agency/sandbox'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { cloudflareAt } from '../../../../test/cloudflare.ts'
import { createTestContext, type TestContext, type TestContextOptions } from '../../../../test/context.ts'
import { eventually } from '../../../../test/eventually.ts'
import { startTestSandbox } from '../../../../test/fixtures/mirror.ts'
import { type Caller, createTestApp, request } from '../../../../test/request.ts'
import type { AppContext } from '../../../context.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { createOwnAddress } from '../../security/index.ts'
import { createDeploymentRunner } from '../runner/runner.ts'
import { env } from './env.ts'

export type HostedSite = {
  label: string
  name: string
  domain: string
  provider: 'pages' | 'hook'
  project: string | null
  hook: { url: string; secret: string } | null
  deployment_url: string
}

type World = {
  sandbox: Sandbox
  console: TestContext
  root: Caller
  hosted: HostedSite[]
  /** Domains that a test has made a site of. */
  taken: Set<string>
  /** Where it listens, so that builders can call back. */
  address: string
  close(): Promise<void>
}

type WorldOptions = {
  stageMs?: number
  /** Nothing is worked on until a test says so, and no longer than the test. */
  isIdle?: boolean
}

function openTo({ ctx }: { ctx: AppContext }, { hosting }: Pick<Sandbox, 'hosting'>): void {
  const names = new Set(hosting.hosts)
  const { httpPort, httpsPort, ca } = hosting
  ctx.replace({ demoHosts: { hosts: () => names, address: '127.0.0.1', httpPort, httpsPort, ca } })
}

export async function openConsole(sandbox: Sandbox, options: TestContextOptions = {}): Promise<TestContext> {
  const opened = await createTestContext({ env, cloudflare: cloudflareAt(sandbox.cloudflare), ...options })
  openTo(opened, sandbox)
  return opened
}

async function control({ hosting }: Sandbox, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${hosting.controlUrl}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${hosting.controlKey}` },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

export const hookFault = ({ sandbox }: World, label: string, fault: string): Promise<unknown> =>
  control(sandbox, '/faults', { label, fault })

/** How long builds take from now on. */
export async function pace({ sandbox }: Pick<World, 'sandbox'>, stageMs: number): Promise<void> {
  await remoteControl(sandbox.stripe).cloudflare({ stageMs })
  await control(sandbox, '/settings', { stepMs: stageMs })
}

export const hostedSites = async (sandbox: Sandbox): Promise<HostedSite[]> =>
  ((await control(sandbox, '/sites')) as { sites: HostedSite[] }).sites

async function startWorld({ stageMs = 60 }: WorldOptions): Promise<World> {
  const { sandbox, stop } = await startTestSandbox({ size: { customers: 60 } })
  await pace({ sandbox }, stageMs)
  const main = await openConsole(sandbox)
  const hosted = await hostedSites(sandbox)
  const app = main.ctx.instance(createTestApp)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  main.ctx.instance(createOwnAddress).url = address
  return {
    sandbox,
    console: main,
    root: request(main.ctx).as('super_admin'),
    hosted,
    taken: new Set(),
    address,
    async close() {
      await app.close()
      await main.close()
      await stop()
    },
  }
}

/** Lets this process work on deployments until told to stop. */
export function startRunner({ ctx }: Pick<TestContext, 'ctx'>): () => Promise<void> {
  const runner = createDeploymentRunner(ctx)
  runner.start()
  return runner.stop
}

type UsedWorld = World & { goOn: () => void; rest: () => Promise<void> }

/** The world of the tests of one file, from its first one on, with a process that works on deployments. */
export function useWorld(options: WorldOptions = {}): UsedWorld {
  let stopRunner: (() => Promise<void>) | undefined
  const goOn = () => {
    stopRunner = startRunner(world.console)
  }
  const rest = async () => {
    await stopRunner?.()
    stopRunner = undefined
  }
  // The rest of it is there before the first test is.
  const world = { goOn, rest } as UsedWorld
  beforeAll(async () => {
    Object.assign(world, await startWorld(options))
    if (!options.isIdle) goOn()
  })
  if (options.isIdle) afterEach(rest)
  afterAll(async () => {
    await rest()
    await world.close?.()
  })
  return world
}

/** Slow, failing or badly certified on purpose. */
const odd = new Set([
  ...['nakheel-books', 'northfieldpets', 'wisniewski-foto', 'monheganferry', 'wiscassetantiques', 'tidewateryoga'],
  ...['seabright', 'sokolova-ceramics'],
])

/** A hosted site of the test's own. */
export async function addSite(
  world: Pick<World, 'console' | 'hosted' | 'taken'>,
  kind: 'pages' | 'hook',
  { callback = true }: { callback?: boolean } = {},
): Promise<HostedSite & { id: string }> {
  const { taken } = world
  const hosted = world.hosted.find(
    ({ provider, domain, label }) => provider === kind && !taken.has(domain) && !odd.has(label),
  )
  if (!hosted) throw new Error(`No ${kind} site is left`)
  taken.add(hosted.domain)
  const id = `site_${String(taken.size).padStart(16, '0')}`
  const { ctx } = world.console
  const box = await ctx.instance(createSecretBox)
  const settings = kind === 'pages' ? { project: hosted.project } : { callback }
  await ctx.pool.query(
    `insert into sites (id, site_name, domain, status, deployment_url, provider, provider_settings, hook_url_sealed,
       hook_secret_sealed, created_at, updated_at) values ($1, $2, $3, 'pending', $4, $5, $6, $7, $8, $9, $9)`,
    [
      ...[id, hosted.name, hosted.domain, hosted.deployment_url, kind, JSON.stringify(settings)],
      ...[hosted.hook && box.seal(hosted.hook.url), hosted.hook && box.seal(hosted.hook.secret)],
      new Date(ctx.clock()),
    ],
  )
  return { ...hosted, id }
}

export const deploy = async (
  { root }: Pick<World, 'root'>,
  siteId: string,
  body: object = {},
): Promise<DeploymentDetails> => (await root.post(`/sites/${siteId}/deployments`, body)).json().deployment

export const detailsOf = async ({ root }: Pick<World, 'root'>, id: string): Promise<DeploymentDetails> =>
  (await root.get(`/deployments/${id}`)).json().deployment

const over = ['success', 'failed', 'cancelled']

export const ended = (world: Pick<World, 'root'>, id: string): Promise<DeploymentDetails> =>
  eventually(async () => {
    const found = await detailsOf(world, id)
    if (!over.includes(found.status)) throw new Error(`It is ${found.status}: ${found.waiting_for ?? ''}`)
    return found
  })

/** What changed something at the providers, and names this. */
export const sentAbout = ({ sandbox }: Pick<World, 'sandbox'>, target: string): RequestLogEntry[] =>
  sandbox
    .requestLog()
    .filter(({ method, path, params }) => method !== 'GET' && `${path} ${JSON.stringify(params)}`.includes(target))

export async function auditOf({ console: { ctx } }: World, id: string): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('audit_entries')
    .select(['action', 'outcome', 'actor_type'])
    .where('resource_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ action, outcome, actor_type }) => `${actor_type} ${action} ${outcome}`)
}
