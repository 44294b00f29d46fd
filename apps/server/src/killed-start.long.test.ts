import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endServers, numbersFrom, serversOf, startIn } from '../test/killed-start.ts'

const kills = Number(process.env['START_KILLS'] ?? 3)
const seed = Number(process.env['START_SEED'] ?? 1108)
const latestMs = 5000
const startsWithinMs = 60_000

const parent = mkdtempSync(join(tmpdir(), 'agency-killed-start-'))
const random = numbersFrom(seed)
const ways = ['console', 'group', 'all', 'ask'] as const

type Kill = { kill: number; folder: string; way: (typeof ways)[number]; afterMs: number }

/** Every other one is a first start; the others find what the one before left. */
const plan: Kill[] = Array.from({ length: kills }, (_, index) => ({
  kill: index + 1,
  folder: `data-${Math.floor(index / 2)}`,
  way: ways[Math.floor(random() * ways.length)] ?? 'console',
  afterMs: Math.round(random() * latestMs),
}))

beforeAll(() => chmodSync(parent, 0o755))
afterAll(async () => {
  for (const { folder } of plan) await endServers(join(parent, folder))
  rmSync(parent, { recursive: true, force: true })
})

async function answersWithin(ms: number, address: string): Promise<number> {
  return (await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(ms) })).status
}

test.each(plan)(
  `a start after kill $kill ($way, after $afterMs ms, in $folder) succeeds (seed ${seed})`,
  async ({ folder, way, afterMs }) => {
    const dataDir = join(parent, folder)
    const killed = startIn(dataDir)
    await sleep(afterMs)
    killed.kill[way]()
    const status = await killed.ended
    if (way === 'ask') expect([[0, 'SIGTERM'].includes(status), serversOf(dataDir)]).toEqual([true, []])
    const next = startIn(dataDir)
    expect(await answersWithin(5000, await next.ready)).toBe(200)
    next.kill.ask()
    expect(await next.ended).toBe(0)
    expect(serversOf(dataDir)).toEqual([])
  },
  startsWithinMs,
)
