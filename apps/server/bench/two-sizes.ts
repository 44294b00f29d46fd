import { type Bench, signIn, startConsole } from './bench-context.ts'
import { latencies } from './load.ts'
import { median, ms, type Row, ratio } from './report.ts'

/** A console on a database of its own, and how to ask it. */
export type Opened = { url: string; headers: Record<string, string>; stop(): Promise<void> }

export async function openFilled(
  bench: Bench,
  name: string,
  fill: (connectionString: string) => Promise<void>,
  env: Record<string, string> = {},
): Promise<Opened> {
  const database = await bench.emptyDatabase(name)
  await fill(database)
  const console_ = await startConsole(database, env)
  return { url: console_.url, headers: await signIn(console_.url), stop: () => console_.stop() }
}

/** Medians of both, asked in turns, so that what else the machine does falls on both. */
export async function inTurns(small: Opened, large: Opened, paths: [small: string[], large: string[]]) {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < paths[0].length; round++)
    for (const [side, which] of [small, large].entries()) {
      const path = paths[side]?.[round] ?? ''
      times[side]?.push(...(await latencies(which.url, [path], which.headers)))
    }
  return [median(times[0].slice(3)), median(times[1].slice(3))] as const
}

type Comparison = { what: string; reach: number; paths: [small: string[], large: string[]] }

export async function compare(small: Opened, large: Opened, { what, reach, paths }: Comparison): Promise<Row> {
  const [reference, ours] = await inTurns(small, large, paths)
  const value = ours / reference
  return {
    ...{ what, reach: `≤ ${reach}`, ours: `${ratio(value)} (${ms(ours)})` },
    ...{ reference: ms(reference), isReached: value <= reach },
  }
}
