import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { type Bench, signIn, startConsole } from '../bench-context.ts'
import { latencies } from '../load.ts'
import { type Measured, startMeasured } from '../processes/start.ts'
import { ms, percentile, perSecond, type Row, ratio } from '../report.ts'

type Progress = {
  first_import: { state: string; objects: number; started_at: string; finished_at: string | null } | null
}
type Delay = { p99: number; max: number }

const lists = ['payments', 'customers', 'subscriptions'] as const
const paths = lists.map((list) => `/api/stripe/${list}?limit=100`)

async function progressOf(url: string, headers: Record<string, string>): Promise<Progress['first_import']> {
  const response = await fetch(`${url}/api/mirror`, { headers })
  return ((await response.json()) as Progress).first_import
}

const everyMs = 25
const idleRounds = 300

/**
 * Milliseconds of each list, asked for one after the other at a steady pace: a reader without a pause would be a load of
 * its own. The console is told before that they changed, so that none comes from its cache, in an import or not.
 */
async function readLists(console: Measured, headers: Record<string, string>): Promise<number[]> {
  const times: number[] = []
  for (const path of paths) {
    const pause = setTimeout(everyMs)
    await console.ask({ do: 'tell-changed', topics: lists })
    times.push(...(await latencies(console.url, [path], headers)))
    await pause
  }
  return times
}

/** A whole first import over HTTP: its pace, what it does to the event loop, and to lists that are read meanwhile. */
export async function wholeImport(bench: Bench): Promise<Row[]> {
  const connectionString = await bench.emptyDatabase('bench_import')
  const providerKey = `sk_test_${randomBytes(16).toString('hex')}`
  const env = { BENCH_PROVIDER_KEY: providerKey, BENCH_CUSTOMERS: String(bench.isQuick ? 150 : 1500) }
  const provider = await startMeasured('provider', { DATABASE_URL: connectionString, ...env })
  const console = await startConsole(connectionString, { ...env, BENCH_PROVIDER: provider.url })
  const headers = await signIn(console.url)
  await console.ask({ do: 'reset-loop' })
  await console.ask({ do: 'import' })
  const during: number[] = []
  let progress = await progressOf(console.url, headers)
  while (!progress || progress.state === 'running') {
    during.push(...(await readLists(console, headers)))
    progress = await progressOf(console.url, headers)
  }
  const delay = await console.ask<Delay>({ do: 'read-loop' })
  const idle: number[] = []
  for (let round = 0; round < idleRounds; round++) idle.push(...(await readLists(console, headers)))
  await console.stop()
  await provider.stop()
  const seconds = (Date.parse(progress.finished_at ?? '') - Date.parse(progress.started_at)) / 1000
  const value = percentile(during, 0.99) / percentile(idle, 0.99)
  const size = `${progress.objects.toLocaleString('en-US')} objects`
  return [
    {
      what: `whole import over HTTP of ${size}`,
      reach: 'reported',
      ours: perSecond(progress.objects / seconds),
      reference: `${seconds.toFixed(1)} s`,
      isReached: progress.state === 'done' ? null : false,
    },
    {
      what: 'list p99 during an import / idle',
      reach: '≤ 3',
      ours: `${ratio(value)} (${ms(percentile(during, 0.99))})`,
      reference: ms(percentile(idle, 0.99)),
      isReached: value <= 3,
    },
    {
      what: `event loop while importing ${size}`,
      reach: '≤ 20 ms p99',
      ours: `${ms(delay.p99)} (longest ${ms(delay.max)})`,
      reference: 'the process itself',
      isReached: delay.p99 <= 20,
    },
  ]
}

/** Dropped and made anew, so that every import is a first one. */
export async function recreateDatabase(server: pg.Pool, name: string): Promise<void> {
  await server.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
  await server.query(`create database ${pg.escapeIdentifier(name)}`)
}
