import type { ConsoleProcess } from './console-process.ts'

type Sandbox = ConsoleProcess['sandbox']
type Call = { method: string; path: string; body?: unknown }

async function ask<T>(address: string, key: string, { method, path, body }: Call): Promise<T> {
  const response = await fetch(`${address}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${address}${path}: ${response.status} ${text}`)
  return (text === '' ? null : JSON.parse(text)) as T
}

/** Asks Stripe as the sandbox plays it, or steers the sandbox itself. */
export const askSandbox = <T>({ baseUrl, secretKey }: Sandbox, call: Call): Promise<T> => ask(baseUrl, secretKey, call)

/** Asks the web host of the demo's sites, and of the deploy hooks that build some of them. */
export const askHosting = <T>({ hosting: { controlUrl, controlKey } }: Sandbox, call: Call): Promise<T> =>
  ask(controlUrl, controlKey, call)

/** So short that no test waits for a build; the demo's own takes ten seconds. */
export const quickStageMs = 60

/** How long a stage of a build takes from now on, at Cloudflare Pages and at the deploy hooks. */
export async function setPace(sandbox: Sandbox, stageMs: number): Promise<void> {
  await askSandbox(sandbox, { method: 'POST', path: '/_sandbox/cloudflare', body: { stageMs } })
  await askHosting(sandbox, { method: 'POST', path: '/settings', body: { stepMs: stageMs } })
}
