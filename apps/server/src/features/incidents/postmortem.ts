import type { Incident, IncidentEvent, PossibleCause } from '@agency/contract/incidents'
import { counted } from '../../platform/counted.ts'

const clock = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`

function durationOf({ opened_at, resolved_at }: Incident): string {
  if (resolved_at === null) return 'ongoing'
  const minutes = Math.round((Date.parse(resolved_at) - Date.parse(opened_at)) / 60_000)
  if (minutes < 60) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Text from outside is text: nothing in it makes a heading, a link or a line of its own. */
const plain = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>#|]/g, '\\$&')

/** What is known when somebody begins to write: facts and timeline are filled in, what only people know is asked for. */
export function draftPostmortem(
  incident: Incident,
  events: readonly IncidentEvent[],
  changes: readonly PossibleCause[],
): string {
  const timeline = events.map(({ at, actor, kind, text }) => {
    const who = actor === null ? '' : `${plain(actor)}: `
    const what = kind === 'note' || kind === 'opened' ? '' : `${kind.replaceAll('_', ' ')}: `
    return `- ${clock(at)}: ${who}${what}${plain(text)}`
  })
  const causes = changes
    .slice(0, 5)
    .map(({ at, title, site_name }) => `- ${clock(at)}: ${plain(title)}${site_name ? ` (${plain(site_name)})` : ''}`)
  return [
    `# INC-${incident.number}: ${plain(incident.title)}`,
    '',
    `- Severity: ${incident.severity.toUpperCase()}`,
    `- Opened: ${clock(incident.opened_at)}`,
    `- Resolved: ${incident.resolved_at === null ? 'not yet' : clock(incident.resolved_at)}`,
    `- Duration: ${durationOf(incident)}`,
    `- Affected: ${counted(incident.affected_sites, 'site')}, ${counted(incident.affected_customers, 'customer')}`,
    '',
    '## What happened',
    '',
    '_Describe the incident in two or three sentences._',
    '',
    '## Timeline',
    '',
    ...timeline,
    '',
    '## Changes before',
    '',
    ...(causes.length > 0 ? causes : ['- None known']),
    '',
    '## Cause',
    '',
    '_Why did it happen, and why was it not prevented?_',
    '',
    '## What we will do',
    '',
    '- [ ] _Who does what, until when?_',
    '',
  ].join('\n')
}
