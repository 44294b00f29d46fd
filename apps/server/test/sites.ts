import type { SiteDetails } from '@agency/contract/types'
import type { TestContext } from './context.ts'
import type { Caller } from './request.ts'

let made = 0

/** A site of its own, as a person adds it. */
export async function makeSite(caller: Caller, fields: Record<string, unknown> = {}): Promise<SiteDetails> {
  made++
  const answer = await caller.post('/sites', { site_name: `Site ${made}`, domain: `site-${made}.example`, ...fields })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().site
}

export const siteOf = async (caller: Caller, id: string): Promise<SiteDetails> =>
  (await caller.get(`/sites/${id}`)).json().site

export const put = (caller: Caller, path: string, body: unknown) =>
  caller.inject({
    method: 'PUT',
    url: `/api${path}`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  })

export const entriesOf = (t: Pick<TestContext, 'ctx'>, id: string) =>
  t.ctx.db
    .selectFrom('audit_entries')
    .select(['action', 'actor_type', 'outcome', 'before', 'after'])
    .where('resource_type', '=', 'site')
    .where('resource_id', '=', id)
    .orderBy('id')
    .execute()

export const countEntries = async ({ ctx }: Pick<TestContext, 'ctx'>): Promise<number> =>
  Number((await ctx.pool.query('select count(*) as entries from audit_entries')).rows[0].entries)
