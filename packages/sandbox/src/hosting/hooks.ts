import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DemoSite } from '../cloudflare/demo-sites.ts'
import type { RequestLog } from '../request-log.ts'
import type { HookFault } from './build.ts'
import type { Builder } from './builder.ts'
import type { Builds } from './builds-store.ts'
import { asObject, Refusal, readText, sendJson } from './reply.ts'
import { isSigned } from './signature.ts'

export type Hook = { site: DemoSite; token: string; secret: string }

type Options = {
  hooks: readonly Hook[]
  builds: Builds
  builder: Builder
  takeFault: (label: string) => HookFault | null
  wallNow: () => number
  log: RequestLog
}

type Call = { hook: Hook; request: IncomingMessage }
type Answer = { status: number; body: unknown; name: string; params: Record<string, unknown> }

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function callbackOf(value: unknown): string | null {
  const text = textOf(value)
  if (text === null) return null
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new Refusal(400, 'callback_url is not an address')
  return url.href
}

export function createHooks({ hooks, builds, builder, takeFault, wallNow, log }: Options) {
  const known = new Map(hooks.map((hook) => [hook.token, hook]))

  async function start({ hook, request }: Call): Promise<Answer> {
    const text = await readText(request)
    const { 'x-deploy-timestamp': timestamp, 'x-deploy-signature': signature } = request.headers
    const isSigning = typeof timestamp === 'string' && typeof signature === 'string'
    if (isSigning && !isSigned(hook.secret, { timestamp, signature }, text, wallNow()))
      throw new Refusal(401, 'The signature is wrong')
    const input = asObject(text)
    const { label } = hook.site
    const isRollback = input['kind'] === 'rollback'
    const name = isRollback ? 'hooks.rollback' : 'hooks.build'
    const deploymentId = textOf(input['deployment_id'])
    const same = deploymentId === null ? undefined : await builds.findOfDeployment(label, deploymentId)
    if (same) return { status: 202, body: { build_id: same.build_id, status: same.status }, name, params: input }
    const old = isRollback ? await builds.find(label, String(input['build_id'])) : undefined
    if (isRollback && old?.status !== 'success') throw new Refusal(404, 'There is no such build to go back to')
    const fault = takeFault(label)
    if (fault === 'down') return { status: 503, body: { error: 'The builder is down' }, name, params: input }
    const build = await builder.start({
      label,
      kind: isRollback ? 'rollback' : 'deploy',
      old,
      deploymentId,
      callbackUrl: callbackOf(input['callback_url']),
      branch: textOf(input['branch']) ?? 'main',
      commitHash: textOf(input['commit_hash']),
      fault,
    })
    if (fault === 'answer_503') return { status: 503, body: { error: 'No answer in time' }, name, params: input }
    return { status: 202, body: { build_id: build.build_id, status: build.status }, name, params: input }
  }

  async function show({ hook }: Call, id: string): Promise<Answer> {
    const build = await builds.find(hook.site.label, id)
    if (!build) throw new Refusal(404, 'There is no such build')
    const { build_id, status, reason, commit, lines } = build
    return { status: 200, body: { build_id, status, reason, commit, log_lines: lines }, name: 'hooks.get', params: {} }
  }

  async function answer(request: IncomingMessage, path: string): Promise<Answer> {
    const [, token = '', build] = /^\/hooks\/([\w-]+)(?:\/builds\/(\w+))?$/.exec(path) ?? []
    const hook = known.get(token)
    if (!hook) throw new Refusal(404, 'There is nothing at this address')
    const call = { hook, request }
    if (build === undefined && request.method === 'POST') return await start(call)
    if (build !== undefined && request.method === 'GET') return await show(call, build)
    throw new Refusal(405, 'This is not how a hook is called')
  }

  /** The token is as good as a password, so the log names the site instead. */
  const loggedPath = (path: string) =>
    path.replace(/^\/hooks\/([^/]+)/, (_, token: string) => `/hooks/${known.get(token)?.site.label ?? 'unknown'}`)

  return async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const started = performance.now()
    const answered = await answer(request, path).catch((error: unknown): Answer => {
      const status = error instanceof Refusal ? error.status : 500
      return {
        status,
        body: { error: error instanceof Error ? error.message : String(error) },
        name: 'hooks',
        params: {},
      }
    })
    sendJson(response, answered.status, answered.body)
    log.add({
      id: `hook_${wallNow().toString(36)}_${Math.random().toString(36).slice(2, 8)}`,
      provider: 'hosting',
      at: wallNow(),
      method: request.method ?? 'GET',
      path: loggedPath(path),
      name: answered.name,
      params: answered.params,
      idempotencyKey: null,
      replayed: false,
      status: answered.status,
      durationMs: Math.round(performance.now() - started),
      fault: null,
    })
  }
}
