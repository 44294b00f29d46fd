import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '../bench-context.ts'
import { freePort, memoryOf, postmasterOf, startMain, stopMain, untilReady } from '../processes/main.ts'
import { median, ms, type Row } from '../report.ts'

const looks = 20

/** In the middle of twenty seconds: what the jobs of each minute open for a moment is not what an idle console holds. */
async function usualMemory(...pids: number[]): Promise<number> {
  const seen: number[] = []
  for (let look = 0; look < looks; look++) {
    seen.push(memoryOf(...pids))
    await sleep(1000)
  }
  return median(seen)
}

/** The console as `npm start` runs it, on a data folder that was used before. */
export async function startAndMemory(bench: Bench): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'agency-bench-start-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const first = startMain(dataDir, port, {})
  await untilReady(url)
  await sleep(bench.isQuick ? 8000 : 20_000)
  await stopMain(first)
  const times: number[] = []
  let memory = 0
  for (let round = 0; round < (bench.isQuick ? 2 : 5); round++) {
    const start = performance.now()
    const child = startMain(dataDir, port, {})
    await untilReady(url)
    times.push(performance.now() - start)
    if (round === 0) {
      await sleep(bench.isQuick ? 5000 : 20_000)
      memory = await usualMemory(child.pid ?? 0, postmasterOf(dataDir))
    }
    await stopMain(child)
  }
  await rm(dataDir, { recursive: true, force: true })
  const megabytes = memory / 1024 / 1024
  return [
    {
      what: 'warm start to /readyz, demo mode',
      reach: '≤ 2 s',
      ours: ms(median(times)),
      reference: 'process start',
      isReached: median(times) <= 2000,
    },
    {
      what: 'memory idle with the database and the sandbox (proportional)',
      reach: '≤ 200 MB',
      ours: `${megabytes.toFixed(0)} MB`,
      reference: 'all processes',
      isReached: megabytes <= 200,
    },
  ]
}
