import { setTimeout as sleep } from 'node:timers/promises'
import { test as base, expect, type Locator, type Page, type TestInfo } from '@playwright/test'
import { complaintsOf } from './console-log.ts'
import { ownConsole } from './own-console.ts'
import { askHosting, askSandbox, setPace } from './sandbox.ts'

export const consoleUrl = (): string => ownConsole().url
export const adminKey = (): string => ownConsole().adminKey

/**
 * Calls the API as a script would, with the admin key. A refusal fails the test; what is not there (yet) is an answer, and
 * what cannot be read right now is read again when the answer says so.
 */
export async function api<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(`${consoleUrl()}/api${path}`, {
    ...init,
    headers: { 'content-type': 'application/json', 'x-admin-key': adminKey(), ...init.headers },
  })
  const text = await response.text()
  const { method = 'GET' } = init
  const retryAfterS = response.headers.get('retry-after')
  if (response.status === 503 && retryAfterS !== null && method === 'GET') {
    await sleep(1000 * Number(retryAfterS))
    return api(path, init)
  }
  if (!response.ok && response.status !== 404) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text) as T
}

type SandboxRequest = {
  provider: 'stripe' | 'cloudflare' | 'hosting'
  /** The call as the provider's SDK names it. */
  name: string | null
  method: string
  path: string
  params: Record<string, unknown>
  status: number | null
}

/** Steers the web host of the demo's sites: how a site behaves, how the builds of its deploy hook end. */
export async function hosting(path: '/behaviour' | '/faults', body: object): Promise<void> {
  await askHosting(ownConsole().sandbox, { method: 'POST', path, body })
}

type HostedSite = { label: string; domain: string; hook: { url: string; secret: string } | null }

export const hostedSites = async (): Promise<HostedSite[]> =>
  (await askHosting<{ sites: HostedSite[] }>(ownConsole().sandbox, { method: 'GET', path: '/sites' })).sites

/** Builds take next to no time; a test that watches one makes it slower for as long as it looks. */
export const pace = (stageMs: number): Promise<void> => setPace(ownConsole().sandbox, stageMs)

const ask = <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
  askSandbox<T>(ownConsole().sandbox, { method, path, body })

/** Steers the world behind the console: its clock, its faults, what happens in it. */
export const sandbox = {
  scenario: <T = Record<string, unknown>>(name: string, input: object = {}) =>
    ask<T>('POST', `/_sandbox/scenarios/${name}`, input),
  dump: <T = Record<string, unknown>>(kind: string) => ask<T[]>('GET', `/_sandbox/dump/${kind}`),
  fault: (fault: object) => ask('POST', '/_sandbox/faults', fault),
  clearFaults: () => ask('DELETE', '/_sandbox/faults'),
  requests: () => ask<SandboxRequest[]>('GET', '/_sandbox/requests'),
  /** Changes how Cloudflare behaves from now on: `{ scopes, tokenStatus, requestLimit, … }`. */
  cloudflare: (change: object) => ask('POST', '/_sandbox/cloudflare', change),
  status: () => ask<{ scenarios: string[] }>('GET', '/_sandbox/status'),
  get: <T = Record<string, unknown>>(path: string) => ask<T>('GET', path),
  post: <T = Record<string, unknown>>(path: string) => ask<T>('POST', path),
}

/** From its next page on, the browser has a session of the admin key that the API opened. */
export async function openSession(page: Page): Promise<void> {
  const body = JSON.stringify({ key: adminKey() })
  const { session_key: key } = await api<{ session_key: string }>('/auth/login', { method: 'POST', body })
  const script = await page.addInitScript((kept) => localStorage.setItem('adminKey', kept), key)
  // Once: a page that comes after a logout must not have it.
  page.once('domcontentloaded', () => void script.dispose())
}

/** Opens a screen with a session of its own. */
export async function signIn(page: Page, path = '/admin'): Promise<void> {
  await openSession(page)
  await page.goto(`${consoleUrl()}${path}`)
}

/** Where signing in is the subject. */
export async function signInByForm(page: Page, path = '/admin'): Promise<void> {
  await page.goto(`${consoleUrl()}${path}`)
  await page.getByLabel('Admin Key').fill(adminKey())
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeHidden()
}

/** Rows that hold something: while a table loads it shows empty ones. */
export const dataRows = (scope: Page | Locator): Locator => scope.locator('tbody tr[data-row]')

/**
 * No test may need a fast machine: `E2E_CPU_SLOWDOWN=6` runs each test's page as a processor six times slower would,
 * `E2E_LATENCY_MS=400` brings it every answer that much later (a test that takes its browser offline cannot have both).
 */
async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env['E2E_CPU_SLOWDOWN'] ?? 1)
  const latency = Number(process.env['E2E_LATENCY_MS'] ?? 0)
  if (rate <= 1 && latency === 0) return
  const session = await page.context().newCDPSession(page)
  if (rate > 1) await session.send('Emulation.setCPUThrottlingRate', { rate })
  if (latency === 0) return
  await session.send('Network.enable')
  const unlimited = { offline: false, downloadThroughput: -1, uploadThroughput: -1 }
  await session.send('Network.emulateNetworkConditions', { ...unlimited, latency })
}

async function tellComplaints({ title }: TestInfo, since: number): Promise<void> {
  const lines = await complaintsOf(ownConsole().log, since)
  if (lines !== '') process.stdout.write(`The console, during “${title}”:\n${lines}\n`)
}

/**
 * A test whose page must not break the Content-Security-Policy nor throw. One that fails shows what its console had to
 * complain of.
 */
export const test = base.extend<{ page: Page }>({
  page: async ({ page }, use, testInfo) => {
    const start = Date.now()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (/Content.Security.Policy|Trusted Type/i.test(message.text())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await slowDown(page)
    await use(page)
    if (testInfo.status !== testInfo.expectedStatus) await tellComplaints(testInfo, start)
    // An answer that a test changes on its way, and that is still under way when the test ends, would fail with the page.
    await page.unrouteAll({ behavior: 'wait' })
    expect(complaints).toEqual([])
  },
})

export { expect }
