import type { QueueJob } from '@agency/contract/queues'
import type { Job } from '../../platform/job.ts'

/** The jobs that this version of the console knows, by name. */
export type Catalogue = ReadonlyMap<string, Job>

/** Made when it is asked for first: the jobs of all features are known only once all of them are loaded. */
export function catalogueOf(jobs: () => readonly Job[]): () => Catalogue {
  let found: Catalogue | undefined
  return () => {
    found ??= new Map(jobs().map((job) => [job.name, job]))
    return found
  }
}

/** `isDue`: it waits, and its time has come. */
type State = Pick<QueueJob, 'status'> & { isDue: boolean }
type Denials = Pick<QueueJob, 'retry_denial' | 'edit_denial' | 'delete_denial'>

const unknown = 'This version of the console does not know this kind of job'
const running = 'It is running now'

export const isDue = ({ status, next_run_at }: Pick<QueueJob, 'status' | 'next_run_at'>, nowMs: number): boolean =>
  status === 'pending' && next_run_at !== null && Date.parse(next_run_at) <= nowMs

function retryDenial({ status, isDue }: State): string | null {
  if (status === 'completed') return 'Completed jobs cannot be retried'
  if (status === 'processing') return running
  return isDue ? 'It already waits for its turn' : null
}

/** Why this cannot be done with a job now. What moves money is tried again at most, and what is not known may move money. */
export function denialsOf(job: State, definition: Pick<Job, 'guard'> | undefined): Denials {
  if (!definition) return { retry_denial: unknown, edit_denial: unknown, delete_denial: unknown }
  const movesMoney = definition.guard === 'money'
  const edited = job.status === 'completed' ? 'Completed jobs cannot be edited' : running
  const isOver = job.status === 'completed' || job.status === 'processing'
  return {
    retry_denial: retryDenial(job),
    edit_denial: movesMoney ? 'It moves money: it can be retried, but not edited' : isOver ? edited : null,
    delete_denial: movesMoney ? 'It moves money: it cannot be deleted' : job.status === 'processing' ? running : null,
  }
}

export function pauseDenial(definition: Pick<Job, 'guard'> | undefined): string | null {
  if (!definition) return unknown
  if (definition.guard === 'money') return 'Queues that move money cannot be paused'
  return definition.guard === 'webhooks' ? 'Queues of webhooks cannot be paused' : null
}
