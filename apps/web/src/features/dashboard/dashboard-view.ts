import type * as dashboard from '@agency/contract/descriptors/dashboard'
import type { DashboardSection } from '@agency/contract/types'
import type { ResponseOf } from '../../lib/api.ts'

type Answer = ResponseOf<typeof dashboard.getDashboard>
type Data<K extends DashboardSection> = Extract<NonNullable<Answer[K]>, { ok: true }>['data']

export type SectionProblem = { message: string; code: string; requestId?: string | undefined }

/** A part of the dashboard with what was last known of it, and why it is not newer. */
export type Section<T> = { data: T | undefined; asOf: string | null; error: SectionProblem | null }
export type DashboardView = { [K in DashboardSection]: Section<Data<K>> }
export type SectionData<K extends DashboardSection> = Data<K>

export const sectionNames = [
  'stats',
  'customers',
  'payments',
  'health',
  'domains',
  'sites',
  'deployments',
] as const satisfies readonly DashboardSection[]

const unanswered: SectionProblem = { message: 'The server did not answer for this section.', code: 'unavailable' }

/** Takes over what was answered; a section that failed keeps what was known of it. */
export function mergeView(
  previous: DashboardView | undefined,
  answer: Answer,
  asked: readonly DashboardSection[],
): DashboardView {
  const view = { ...(previous ?? failedView(undefined, unanswered)) }
  for (const name of asked) Object.assign(view, { [name]: mergeSection(previous?.[name], answer[name]) })
  return view
}

function mergeSection(previous: Section<unknown> | undefined, answered: Answer[DashboardSection]): Section<unknown> {
  if (answered?.ok) return { data: answered.data, asOf: answered.as_of, error: null }
  const error = answered ? { message: answered.error, code: answered.code } : unanswered
  return { data: previous?.data, asOf: previous?.asOf ?? null, error }
}

/** Every section, or the one that was asked, could not be fetched: what was known stays. */
export function failedView(
  previous: DashboardView | undefined,
  error: SectionProblem,
  asked: readonly DashboardSection[] = sectionNames,
): DashboardView {
  const failed = (name: DashboardSection) => ({
    data: previous?.[name].data,
    asOf: previous?.[name].asOf ?? null,
    error: asked.includes(name) ? error : (previous?.[name].error ?? null),
  })
  return Object.fromEntries(sectionNames.map((name) => [name, failed(name)])) as DashboardView
}
