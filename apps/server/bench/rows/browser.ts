import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContextOptions } from '@playwright/test'
import { findChromium } from '../../../../scripts/lib/chromium.ts'
import type { Bench } from '../bench-context.ts'
import { startReference } from '../reference-page.ts'
import { median, ms, type Row, ratio } from '../report.ts'

const slowDown = 4
const rowsShown = 100

type Visit = { time: number; calls: number }
type Storage = BrowserContextOptions['storageState']

/** Notes, inside the page, when the rows are there: no message to another process is part of the time. */
const watchRows = (selector: string, count: number): string => `
  new MutationObserver((_, observer) => {
    if (document.querySelectorAll(${JSON.stringify(selector)}).length < ${count}) return
    observer.disconnect()
    globalThis.rowsAt = performance.now()
  }).observe(document, { childList: true, subtree: true })`

// The event stream brings no data.
const readVisit = `globalThis.rowsAt === undefined ? null : JSON.stringify({
  time: rowsAt,
  calls: performance.getEntriesByType('resource')
    .filter(({ name, startTime }) => startTime < rowsAt && /\\/api\\/(?!events)/.test(name)).length,
})`

const waitLimitMs = 60_000

/** From the start of the navigation until the page has that many rows, and the calls of the API that were made by then. */
async function visit(browser: Browser, storage: Storage, url: string, selector: string, count: number): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, storageState: storage })
  const page = await context.newPage()
  await page.addInitScript(watchRows(selector, count))
  // Whether the browser starts a process for a page depends on its headers, not on what the page is made of: it is there for both.
  await page.goto(new URL('/robots.txt', url).href)
  const session = await context.newCDPSession(page)
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
  await page.goto(url, { waitUntil: 'commit' })
  for (const deadline = performance.now() + waitLimitMs; performance.now() < deadline; await sleep(100)) {
    const { result } = await session.send('Runtime.evaluate', { expression: readVisit })
    if (typeof result.value !== 'string') continue
    await context.close()
    return JSON.parse(result.value) as Visit
  }
  throw new Error(`${url} did not show ${count} rows of ${selector}`)
}

/** What the browser of somebody keeps who is signed in. Nothing else comes along: each visit starts with empty caches. */
async function signIn(browser: Browser, bench: Bench): Promise<Storage> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${bench.console.url}/robots.txt`)
  await page.evaluate((key) => globalThis.localStorage.setItem('adminKey', key), bench.headers['x-admin-key'] ?? '')
  await page.goto(`${bench.console.url}/admin/audit`)
  await page.waitForFunction(() => globalThis.localStorage.getItem('agency.session') !== null)
  const storage = await context.storageState()
  await context.close()
  return storage
}

/** Our payments table against a bare React + MUI table of the same rows, cold, with a processor four times slower. */
export async function browserRows(bench: Bench): Promise<Row[]> {
  const chromium = findChromium()
  if ('missing' in chromium)
    return [{ what: 'screens in Chromium', reach: '-', ours: chromium.missing, reference: '-', isReached: false }]
  const { chromium: launcher } = createRequire(import.meta.url)('@playwright/test') as typeof import('@playwright/test')
  const browser = await launcher.launch({
    executablePath: chromium.path,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const path = `/api/stripe/payments?limit=${rowsShown}`
  const data = await (await fetch(`${bench.console.url}${path}`, { headers: bench.headers })).text()
  const reference = await startReference(data)
  const ours: Visit[] = []
  const theirs: Visit[] = []
  const table = `${bench.console.url}/admin/payments?size=${rowsShown}`
  const storage = await signIn(browser, bench)
  const visitOurs = async () => ours.push(await visit(browser, storage, table, 'table tbody tr[data-row]', rowsShown))
  const visitTheirs = async () =>
    theirs.push(await visit(browser, undefined, reference.url, 'table tbody tr', rowsShown))
  for (let round = 0; round < (bench.isQuick ? 1 : 8); round++)
    for (const next of [visitOurs, visitTheirs, visitTheirs, visitOurs]) await next()
  const list = await visit(browser, storage, `${bench.console.url}/admin/customers`, 'table tbody tr[data-row]', 10)
  const dashboard = await visit(browser, storage, `${bench.console.url}/admin`, 'li a[href^="/admin/customers?"]', 5)
  await browser.close()
  await reference.stop()
  const value = median(ours.map((one) => one.time)) / median(theirs.map((one) => one.time))
  return [
    {
      what: `table of ${rowsShown} rows visible, cold, CPU slowed ${slowDown} × / bare React + MUI table`,
      reach: '≤ 1.3',
      ours: `${ratio(value)} (${ms(median(ours.map((one) => one.time)))})`,
      reference: ms(median(theirs.map((one) => one.time))),
      isReached: value <= 1.3,
    },
    {
      what: 'API calls before the first rows of a list screen',
      reach: '1',
      ours: String(list.calls),
      reference: '-',
      isReached: list.calls <= 1,
    },
    {
      what: 'API calls before the first rows of the dashboard',
      reach: '≤ 2',
      ours: String(dashboard.calls),
      reference: '-',
      isReached: dashboard.calls <= 2,
    },
  ]
}
