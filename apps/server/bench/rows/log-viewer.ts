import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import pg from 'pg'
import { findChromium } from '../../../../scripts/lib/chromium.ts'
import { type Bench, signIn, startConsole } from '../bench-context.ts'
import { median, type Row } from '../report.ts'

const lines = 100_000
const slowDown = 4
const reach = 55
/** Three lines a frame: what a quick turn of the wheel asks for. */
const pixelsPerFrame = 60
const scrollMs = 4000

/** The lines of the second one are of different lengths, up to six times as wide as the viewer. */
const logs = { plain: 'dep_bench', wrapped: 'dep_bench_wrapped' }
const site = `site_${'b'.repeat(16)}`
const what = `log of ${lines.toLocaleString('en-US')} lines, CPU slowed ${slowDown} ×`

async function fill(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(
    `insert into sites (id, site_name, domain, status, created_at, updated_at)
     values ($1, 'Bench', 'bench.example', 'active', now(), now())`,
    [site],
  )
  await client.query(
    `insert into deployments (id, site_id, kind, origin, status, provider, lane, same_as, queued_at, started_at,
       completed_at, duration, is_log_complete)
     select id, $2, 'deploy', 'console', 'success', 'hook', 'hook:bench', 'x', now(), now(), now(), 0, true
     from unnest($1::text[]) id`,
    [Object.values(logs), site],
  )
  await client.query(
    `insert into deployment_log_lines (deployment_id, number, at, text)
     select id, n, now(), case when n % 10 = 0 then e'\\u001b[33mwarning\\u001b[0m ' else '' end
       || 'transformed src/components/part-' || n || e'.tsx \\u001b[2m(' || n % 300 || ' ms)\\u001b[0m'
       || case when id = $3 then repeat(' from src/pages/page-' || n || '.tsx', n * 7 % 40) else '' end
     from unnest($1::text[]) id, generate_series(1, $2) n`,
    [Object.values(logs), lines, logs.wrapped],
  )
  await client.end()
}

// One frame after the other is asked for, as long as the box scrolls.
const scroll = `new Promise((resolve) => {
  const box = document.querySelector('section[aria-label="Log of Bench"]')
  const times = []
  const step = (now) => {
    times.push(now)
    if (now - times[0] > ${scrollMs}) return resolve(JSON.stringify(times))
    box.scrollTop += ${pixelsPerFrame}
    requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
})`

async function framesPerSecond(page: Page): Promise<number> {
  const times = JSON.parse((await page.evaluate(scroll)) as string) as number[]
  const [first = 0] = times
  return ((times.length - 1) * 1000) / ((times.at(-1) ?? first) - first)
}

/** How smoothly a long log scrolls, and how much of it the page holds meanwhile. */
export async function logViewer(bench: Bench): Promise<Row[]> {
  const chromium = findChromium()
  if ('missing' in chromium)
    return [{ what, reach: `≥ ${reach} frames/s`, ours: chromium.missing, reference: '-', isReached: false }]
  const database = await bench.emptyDatabase('bench_log')
  await fill(database)
  const console_ = await startConsole(database)
  const { 'x-admin-key': key = '' } = await signIn(console_.url)
  const { chromium: launcher } = createRequire(import.meta.url)('@playwright/test') as typeof import('@playwright/test')
  const browser = await launcher.launch({
    executablePath: chromium.path,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${console_.url}/robots.txt`)
  await page.evaluate((text) => globalThis.localStorage.setItem('adminKey', text), key)
  const session = await page.context().newCDPSession(page)
  const measured = async (id: string, prepare: () => Promise<unknown>) => {
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await page.goto(`${console_.url}/admin/deployments?open=${id}&view=log`)
    await page.locator('[data-line="1"] bdi').waitFor()
    await prepare()
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
    const rounds: number[] = []
    for (let round = 0; round < (bench.isQuick ? 2 : 5); round++) rounds.push(await framesPerSecond(page))
    return { rate: median(rounds), drawn: await page.locator('[data-line]').count() }
  }
  const plain = await measured(logs.plain, async () => undefined)
  const wrapped = await measured(logs.wrapped, () => page.getByRole('button', { name: 'Wrap lines' }).click())
  await browser.close()
  await console_.stop()
  return [
    rateRow(what, plain.rate),
    {
      what: `${what}: lines in the page`,
      reach: '≤ 300',
      ours: String(plain.drawn),
      reference: '-',
      isReached: plain.drawn <= 300,
    },
    rateRow(`${what}, long lines wrapped`, wrapped.rate),
  ]
}

const rateRow = (of: string, rate: number): Row => ({
  what: `${of}: frames a second while it scrolls`,
  reach: `≥ ${reach}`,
  ours: rate.toFixed(1),
  reference: '-',
  isReached: rate >= reach,
})
