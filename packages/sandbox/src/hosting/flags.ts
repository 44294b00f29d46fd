import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { DemoSite } from '../cloudflare/demo-sites.ts'
import type { Store } from '../store/store.ts'

/** Where the sites ask which features they show, and with which key. */
export type FlagAccess = { url: string; key: string }
export type Flags = ReadonlySet<string>

const keptAs = 'hosting.flags'
const askMs = 500
const none: Flags = new Set()

async function read({ pool, schema }: Store): Promise<FlagAccess | null> {
  const { rows } = await pool.query<{ value: FlagAccess }>(`select value from ${schema}.kept where name = $1`, [keptAs])
  return rows[0]?.value ?? null
}

async function write({ pool, schema }: Store, access: FlagAccess | null): Promise<void> {
  await pool.query(
    `insert into ${schema}.kept (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value`,
    [keptAs, JSON.stringify(access)],
  )
}

/** The visitor as the site knows them: by a cookie that it gives with the first page. */
export function visitorOf({ headers }: IncomingMessage): { id: string; isNew: boolean } {
  const known = /(?:^|;\s*)visitor=([\w-]{1,64})/.exec(headers.cookie ?? '')?.[1]
  return known === undefined ? { id: randomUUID(), isNew: true } : { id: known, isNew: false }
}

/** What the sites ask their console, as any site would: over OFREP. Without an answer they show what they always did. */
export async function createFlags(store: Store) {
  let access = await read(store)
  return {
    where: () => access?.url ?? null,
    async set(given: FlagAccess | null): Promise<void> {
      await write(store, given)
      access = given
    },
    isAsked: () => access !== null,
    async on({ domain }: DemoSite, visitor: string): Promise<Flags> {
      if (access === null) return none
      try {
        const answer = await fetch(`${access.url}/ofrep/v1/evaluate/flags`, {
          method: 'POST',
          headers: { authorization: `Bearer ${access.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ context: { targetingKey: visitor, domain } }),
          signal: AbortSignal.timeout(askMs),
        })
        if (!answer.ok) return none
        const { flags } = (await answer.json()) as { flags: { key: string; value?: unknown }[] }
        return new Set(flags.filter(({ value }) => value === true).map(({ key }) => key))
      } catch {
        return none
      }
    },
  }
}

export type SiteFlags = Awaited<ReturnType<typeof createFlags>>
