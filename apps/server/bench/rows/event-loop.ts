import { type Bench, paymentPages, startConsole } from '../bench-context.ts'
import { steadily } from '../load.ts'
import { ms, type Row } from '../report.ts'

type Delay = { p99: number; max: number }

const reachMs = 20

const row = (what: string, delay: Delay, reach = reachMs): Row => ({
  what,
  reach: `≤ ${reach} ms p99`,
  ours: `${ms(delay.p99)} (longest ${ms(delay.max)})`,
  reference: 'the process itself',
  isReached: delay.p99 <= reach,
})

/** Fifty administrators who each ask four times a second for pages that no cache holds, and for figures. */
export async function underUsers(bench: Bench): Promise<Row[]> {
  const pages = await paymentPages(bench.pool)
  const paths = pages.map((page, index) => (index % 10 === 0 ? '/api/dashboard' : page))
  await bench.console.ask({ do: 'reset-loop' })
  const p99 = await steadily({ url: bench.console.url, paths, headers: bench.headers }, 50, 200, bench.isQuick ? 4 : 15)
  const delay = await bench.console.ask<Delay>({ do: 'read-loop' })
  return [row(`event loop under 50 users with 200 requests/s (their p99 ${ms(p99)})`, delay)]
}

/** A thousand wrong passwords at the same moment, each from another address, so that no lock answers for the hash. */
export async function underWrongSignIns(bench: Bench): Promise<Row[]> {
  const proxied = await startConsole(bench.connectionString, { TRUST_PROXY: '1' })
  const tries = 1000
  await proxied.ask({ do: 'reset-loop' })
  const start = performance.now()
  const statuses = await Promise.all(
    Array.from({ length: tries }, async (_, index) => {
      const response = await fetch(`${proxied.url}/api/auth/login/email`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `10.${index >> 8}.${index & 255}.7`,
        },
        body: JSON.stringify({ email: `nobody-${index}@example.com`, password: 'a wrong password' }),
      })
      await response.arrayBuffer()
      return response.status
    }),
  )
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const delay = await proxied.ask<Delay>({ do: 'read-loop' })
  await proxied.stop()
  const refused = statuses.filter((status) => status === 401).length
  const turned = statuses.filter((status) => status === 429).length
  if (refused + turned !== tries) throw new Error(`${tries - refused - turned} wrong sign-ins were not refused`)
  return [
    row(
      `event loop under ${tries} wrong sign-ins at once (${refused} compared, ${turned} told to wait, ${seconds} s)`,
      delay,
      50,
    ),
  ]
}
