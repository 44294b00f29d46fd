import type { JobFilters, JobStatus } from '@agency/contract/queues'
import { internalQueue } from '../../../platform/job-table.ts'
import type { Values } from '../../../platform/statements.ts'
import { searchTerm } from '../../billing/index.ts'

// Literals, as each has an index of its own.
const ofStatus: Record<JobStatus, string> = {
  pending: `j.state < 'active'`,
  processing: `j.state = 'active'`,
  completed: `j.state = 'completed'`,
  failed: `j.state = 'failed'`,
  cancelled: `j.state = 'cancelled'`,
}

/** Conditions on the jobs `j`. `about`: the ids that a search stands for. */
export function conditionsOf(values: Values, filters: JobFilters, about: readonly string[]): string[] {
  const where = [`j.name <> '${internalQueue}'`]
  if (filters.status) where.push(ofStatus[filters.status])
  if (filters.queue) where.push(`j.name = ${values.add(filters.queue)}`)
  if (filters.cause)
    where.push(`j.state = 'failed' and job_fingerprint(j.name, j.output) = ${values.add(filters.cause)}`)
  const term = searchTerm(values, filters.search)
  if (term)
    where.push(
      `(job_words(j.id, j.data, j.output) like ${term.pattern} or job_values(j.data) && ${values.add(about)}::text[])`,
    )
  return where
}
