import type { queues } from '@agency/contract'
import type { BodyOf, QueryOf, ResponseOf } from '@agency/contract/endpoint'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { bindKey, type Claim, keepAnswer } from '../../../platform/idempotency-keys.ts'
import { deleteJobs, lockJobs, runAgain } from '../../../platform/job-acts.ts'
import { Values } from '../../../platform/statements.ts'
import { type Catalogue, denialsOf } from '../catalogue.ts'
import { findAbout } from '../queries/about.ts'
import { conditionsOf } from '../queries/filters.ts'
import { countJobs, type JobGroup } from '../queries/jobs.ts'

type Act = 'retry' | 'delete'

const denialOf = (catalogue: Catalogue, { queue_name, status, is_due }: JobGroup, act: Act): string | null =>
  denialsOf({ status, isDue: is_due }, catalogue.get(queue_name))[`${act}_denial`]

/** What an act would do to all that the filters leave, whatever page is shown. */
export async function preview(
  ctx: RequestContext,
  catalogue: Catalogue,
  { act, ...filters }: QueryOf<typeof queues.previewQueueAct>,
): Promise<ResponseOf<typeof queues.previewQueueAct>> {
  const until = new Date(ctx.clock())
  const groups = await countJobs(ctx.pool, filters, await findAbout(ctx.pool, filters.search), until)
  const leftOut = new Map<string, number>()
  let affected = 0
  for (const group of groups) {
    const reason = denialOf(catalogue, group, act)
    if (reason === null) affected += group.jobs
    else leftOut.set(reason, (leftOut.get(reason) ?? 0) + group.jobs)
  }
  return {
    matching: groups.reduce((total, { jobs }) => total + jobs, 0),
    affected,
    left_out: [...leftOut].map(([reason, jobs]) => ({ reason, jobs })).sort((a, b) => b.jobs - a.jobs),
    until: until.toISOString(),
  }
}

/** Said to the database once, as `denialsOf` says it of one job. */
const possible: Record<Act, string> = {
  retry: `(j.state in ('failed', 'cancelled') or j.state < 'active' and j.start_after > now())`,
  delete: `j.state <> 'active'`,
}

const namesFor = (catalogue: Catalogue, act: Act): string[] =>
  [...catalogue.values()].filter(({ guard }) => act === 'retry' || guard !== 'money').map(({ name }) => name)

const namedInAudit = 20

/** One batch; whoever asks goes on while there is more, and may stop in between. */
export async function actOnBatch(
  ctx: RequestContext,
  catalogue: Catalogue,
  { act, filters, until, batch_size }: BodyOf<typeof queues.actOnQueueJobs>,
  claim: Claim | null,
): Promise<ResponseOf<typeof queues.actOnQueueJobs>> {
  const about = await findAbout(ctx.pool, filters.search)
  return inTransaction(ctx, async (tx) => {
    await bindKey(tx, claim, act)
    const values = new Values()
    const where = [
      ...conditionsOf(values, filters, about),
      `j.created_on <= ${values.add(until)}::timestamptz`,
      `j.name = any(${values.add(namesFor(catalogue, act))}::text[])`,
      possible[act],
    ]
    const found = await lockJobs(tx.db, { text: where.join(' and '), values: values.list }, batch_size + 1)
    const jobs = found.slice(0, batch_size)
    const ids = jobs.map(({ id }) => id)
    if (jobs.length > 0) {
      await (act === 'retry' ? runAgain(tx.db, ids) : deleteJobs(tx.db, ids))
      const byQueue = Object.groupBy(jobs, ({ name }) => name)
      await recordAudit(tx, {
        ...{ action: `job.${act}_all`, resource: 'job', id: null },
        after: {
          ...{ jobs: jobs.length, filters },
          queues: Object.fromEntries(Object.entries(byQueue).map(([name, own]) => [name, own?.length ?? 0])),
          first_ids: ids.slice(0, namedInAudit),
        },
      })
    }
    const answer = { done: jobs.length, has_more: found.length > batch_size }
    await keepAnswer(tx, claim, answer)
    return answer
  })
}
