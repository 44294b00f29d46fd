import type { CheckTrial } from '@agency/contract/types'
import { formatDuration } from '../../../lib/format.ts'
import { healthChips } from '../../../lib/site-status.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { type Fact, Facts } from '../../../ui/Facts.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'

/** What a try found. */
export function TrialPanel({ trial }: { trial: CheckTrial }) {
  return (
    <div role="status">
      <Panel title="Result">
        <Facts facts={factsOf(trial)} />
      </Panel>
    </div>
  )
}

function factsOf({ health, detail, url, redirects, status_code, total_ms, tries, certificate }: CheckTrial): Fact[] {
  const times = total_ms === null ? null : formatDuration(total_ms)
  return [
    { label: 'State', value: <StatusChip {...healthChips[health]} /> },
    { label: 'Found', value: detail },
    { label: 'Status', value: status_code === null ? 'No answer' : String(status_code) },
    { label: 'Time', value: times ?? 'Not measured' },
    { label: 'Address', value: <bdi>{redirects === 0 ? url : `${url} (${redirects} redirects)`}</bdi>, wide: true },
    ...(tries > 1 ? [{ label: 'Tries', value: String(tries) }] : []),
    ...(certificate
      ? [
          { label: 'Certificate', value: certificate.problem ?? 'Trusted' },
          { label: 'Certificate ends', value: <DateTime at={certificate.valid_to} show="date-time" /> },
          { label: 'Issuer', value: <bdi>{certificate.issuer}</bdi> },
          { label: 'Names', value: <bdi>{certificate.names.join(', ')}</bdi>, wide: true },
        ]
      : []),
  ]
}
