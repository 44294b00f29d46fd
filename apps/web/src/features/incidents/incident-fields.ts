import type { Alert, Incident } from '@agency/contract/types'
import type { Problems } from '../../lib/form/use-edit-form.ts'

const longest = 200

export type IncidentFields = { title: string; severity: Incident['severity'] }

function titleProblem(typed: string): string | undefined {
  const title = typed.trim()
  if (title === '') return 'Enter a title'
  return title.length > longest ? `A title has ${longest} characters at most` : undefined
}

export const incidentProblems = ({ title }: IncidentFields): Problems<IncidentFields> => ({
  title: titleProblem(title),
})

export const bodyOf = ({ title, severity }: IncidentFields) => ({ title: title.trim(), severity })

/** What the severity of an incident about an alert usually is. */
export function suggestedSeverity({ severity, affected_sites }: Pick<Alert, 'severity' | 'affected_sites'>) {
  if (affected_sites > 1) return 'sev2'
  return severity === 'critical' || severity === 'error' ? 'sev3' : 'sev4'
}

export type SplitFields = { title: string; ids: string[] }

/** At least one alert leaves, and one stays: else it would be a rename. */
export function splitProblems({ title, ids }: SplitFields, all: number): Problems<SplitFields> {
  const chosen = ids.length === 0 ? 'Choose at least one alert' : undefined
  return {
    title: titleProblem(title),
    ids: chosen ?? (ids.length >= all ? 'Leave at least one alert in this incident' : undefined),
  }
}
