import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, paymentPages, signIn, startConsole } from '../bench-context.ts'
import { beside, steadily } from '../load.ts'
import type { Measured } from '../processes/start.ts'
import { ms, type Row, ratio } from '../report.ts'

const wantedRows = 300_000
const reach = { memoryMb: 30, loopMs: 20, lists: 1.5 }
const megabytes = (bytes: number): number => bytes / 1024 / 1024

type Headers = Record<string, string>
type Shown = { id: string; state: string; rows_done: number; bytes: number | null; reason: string | null }

async function ask(url: string, headers: Headers, body?: object): Promise<Shown> {
  const json = { ...headers, 'content-type': 'application/json' }
  const response = await fetch(url, body ? { method: 'POST', headers: json, body: JSON.stringify(body) } : { headers })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`)
  return (JSON.parse(text) as { export: Shown }).export
}

/** Orders an export, and looks at it and at the memory of the console until it has ended. */
async function exportAll(console_: Measured, headers: Headers, parameters: object) {
  const ordered = await ask(`${console_.url}/api/exports`, headers, { kind: 'payments', format: 'xlsx', parameters })
  let most = 0
  for (;;) {
    most = Math.max(most, await console_.ask<number>({ do: 'memory' }))
    const shown = await ask(`${console_.url}/api/exports/${ordered.id}`, headers)
    if (shown.state === 'ready') return { ...shown, most }
    if (shown.state === 'failed') throw new Error(shown.reason ?? 'the export failed')
    await sleep(100)
  }
}

/** The newest payments, from the day on that leaves enough of them. */
async function parametersOf({ pool, scale }: Bench): Promise<object> {
  const offset = Math.min(wantedRows, scale.payments) - 1
  const { rows } = await pool.query<{ day: string }>(
    `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day from payments where deleted_at is null
      order by created_at desc offset $1 limit 1`,
    [offset],
  )
  return { created_from: rows[0]?.day }
}

/** An XLSX of 300,000 payments: what it costs the console itself, and those who ask for lists meanwhile. */
export async function exportRows(bench: Bench): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'agency-bench-exports-'))
  const console_ = await startConsole(bench.connectionString, { DATA_DIR: dataDir })
  try {
    const headers = await signIn(console_.url)
    const paths = await paymentPages(bench.pool)
    const seconds = bench.isQuick ? 3 : 10
    const lists = (length: number) => steadily({ url: console_.url, paths, headers }, 20, 80, length)
    // What a console that has just started still does would be taken for idle.
    await lists(seconds)
    await exportAll(console_, headers, { created_from: '2999-01-01' })
    await sleep(3000)

    const idle = await console_.ask<number>({ do: 'memory' })
    await console_.ask({ do: 'reset-loop' })
    const start = performance.now()
    const done = await exportAll(console_, headers, await parametersOf(bench))
    const took = (performance.now() - start) / 1000
    const delay = await console_.ask<{ p99: number; max: number }>({ do: 'read-loop' })
    const left = await console_.ask<number>({ do: 'children' })
    const above = megabytes(done.most - idle)

    const parameters = await parametersOf(bench)
    const { alone, meanwhile, slower } = await beside(
      () => lists(Math.max(2, Math.min(seconds, Math.floor(took)))),
      () => exportAll(console_, headers, parameters),
      bench.isQuick ? 1 : 3,
    )
    const what = `XLSX of ${done.rows_done.toLocaleString('en-US')} rows in ${took.toFixed(1)} s`
    return [
      {
        what: `${what}: memory of the console above idle`,
        reach: `≤ ${reach.memoryMb} MB`,
        ours: `${above.toFixed(1)} MB`,
        reference: `idle ${megabytes(idle).toFixed(0)} MB`,
        isReached: above <= reach.memoryMb,
      },
      {
        what: `${what}: event loop of the console`,
        reach: `≤ ${reach.loopMs} ms p99`,
        ours: `${ms(delay.p99)} (longest ${ms(delay.max)})`,
        reference: 'the process itself',
        isReached: delay.p99 <= reach.loopMs,
      },
      {
        what: `${what}: processes that are left afterwards`,
        reach: '0',
        ours: String(left),
        reference: 'none before',
        isReached: left === 0,
      },
      {
        what: `lists of 25 by 20 users during the export, p99 / without it`,
        reach: `≤ ${reach.lists}`,
        ours: `${ratio(slower)} (${ms(meanwhile)})`,
        reference: ms(alone),
        isReached: slower <= reach.lists,
      },
    ]
  } finally {
    await console_.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
